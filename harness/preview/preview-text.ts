import { amount, counted, firstOf, firstShown } from '../contract/amounts.ts';
import { given } from '../contract/collections.ts';
import { visible } from '../contract/visible-text.ts';
import { suiteVersion } from '../record/journal.ts';
import { type Colors, joinedSections, type Mark, marked, minutesAndSeconds, table } from '../render/amounts.ts';
import { renderNotTried, renderVaried } from '../render/not-tried-words.ts';
import { planInWords } from '../render/terminal-start.ts';
import { sightRows } from '../render/terminal-verdict.ts';
import { targetName } from '../report/verdict-words.ts';
import { FIRST_PACE } from '../send/denials.ts';
import { claimsInWords } from '../settings/claims.ts';
import type { Preview } from './preview.ts';

const MOST_NAMES = 12;

/** What `plan` prints. */
export function renderPreview(plan: Preview, colors: Colors): string {
  const sections = [
    [colors.bold(`client-api-conformance ${suiteVersion}`) + colors.dim('  plan (nothing was sent)')],
    decisions(plan, colors),
    sight(plan, colors),
    renderVaried(plan.varied, colors),
    renderNotTried(plan.notTried, colors),
    traffic(plan, colors),
    credentials(plan, colors),
  ];
  return joinedSections(sections);
}

function decisions(plan: Preview, colors: Colors): string[] {
  const { requirements, next, claims } = plan;
  const { claimed, decidable, undecidable } = requirements;
  const line = `${decidable} of ${counted(claimed, 'requirement')} can be decided with the variables that are set`;
  const { ownContract } = plan;
  const rows = [
    ...(ownContract ? [['contract', `${ownContract.name} (own contract ${ownContract.digest})`]] : []),
    ['claims', `${claimsInWords(claims)}${claims.inferred ? ' (inferred)' : ''}`],
    ...(undecidable.length > 0 ? [['undecided', firstOf(undecidable, MOST_NAMES)]] : []),
  ];
  const steps = next.flatMap(({ variables, requirements: completed, places }) => [
    `  add ${colors.bold(variables.join(' '))}`,
    `      decides more on ${firstOf(places, MOST_NAMES)}${completed.length === 0 ? '' : `; completes ${counted(completed.length, 'requirement')}: ${firstOf(completed, MOST_NAMES)}`}`,
  ]);
  return [
    colors.bold(marked(markOf(plan), line, colors)),
    ...table(rows, colors),
    ...(steps.length > 0 ? ['', colors.bold('What to set next (the most useful first)'), ...steps] : []),
  ];
}

/** A tick stands above no warning. */
function markOf(plan: Preview): Mark {
  const { claimed, decidable } = plan.requirements;
  if (decidable < claimed) return 'open';
  return isTooSmall(plan) ? 'warning' : 'good';
}

function isTooSmall({ chatBudget }: Preview): boolean {
  return chatBudget !== null && !chatBudget.suffices && chatBudget.needed > chatBudget.limit;
}

/** What the run sees, and what further tokens add. */
function sight({ sight: seen, sightAdded, narrowed }: Preview, colors: Colors): string[] {
  const added = sightAdded.map(({ variable, ofRows, ofOneValue }) => [
    variable,
    `${ofRows} % of documented rows, ${ofOneValue} % by one more value`,
  ]);
  const rest = (more: number) => ['', `${counted(more, 'more token')} would add less`];
  return [
    colors.bold('What a run would catch'),
    ...table(sightRows(seen, narrowed), colors),
    ...(added.length === 0 ? [] : ['', colors.bold('What further tokens add (of everything claimed)')]),
    ...table(firstShown(added, MOST_NAMES, rest), colors),
  ];
}

function traffic(plan: Preview, colors: Colors): readonly string[] {
  const { matrix, checks, chatBudget, narrowed } = plan;
  const all = matrix.requests + checks.requests;
  const chats = matrix.chats + checks.chats;
  const skipped = chatBudget?.suffices ? chatBudget.wanted - chats : 0;
  const budget = chatBudget === null ? '' : ` (budget: ${chatBudget.limit})`;
  const rows = given<readonly string[]>([
    ['target', visible(targetName(plan))],
    narrowed !== null && ['narrowed', visible(narrowed)],
    ['plan', planInWords(plan)],
    ['requests', `about ${amount(all)}: ${amount(matrix.requests)} for cases, ${amount(checks.requests)} for checks`],
    [
      'refused',
      `${amount(matrix.refused + checks.refused)} of them, on purpose; ${amount(matrix.denied + checks.denied)} count as refused tokens`,
    ],
    (chats > 0 || chatBudget !== null) && [
      'chats',
      `${amount(chats)} accepted${budget}${skipped > 0 ? `; ${skipped} more would show nothing new and are skipped` : ''}`,
    ],
    ['duration', duration(plan)],
  ]);
  return given([
    colors.bold('What a run sends'),
    ...table(rows, colors),
    isTooSmall(plan) &&
      colors.yellow(
        `  ! The chat budget is too small: what it cannot decide ends as inconclusive. CONFORMANCE_CHAT_BUDGET=${chatBudget?.needed} is enough.`,
      ),
  ]);
}

function duration({ seconds, secondsIfLimited, rate, held }: Preview): string {
  if (seconds === null) return 'depends on the target: there is no rate limit';
  const pauses =
    held && held.seconds > 1
      ? `, with pauses of ${minutesAndSeconds(held.seconds)} to stay under ${pace(held.denialsPerMinute)} refused tokens a minute`
      : '';
  const limited =
    secondsIfLimited !== null && secondsIfLimited > seconds
      ? `; about ${minutesAndSeconds(secondsIfLimited)} at ${FIRST_PACE} a minute throughout, if the target shows a limit`
      : '';
  return `about ${minutesAndSeconds(seconds)} at ${rate} requests a second${pauses}${limited}`;
}

/** The pace of refused tokens, which grows while the target shows no limit. */
function pace(most: number): string {
  return most > FIRST_PACE ? `${FIRST_PACE} to ${most}` : `${most}`;
}

function credentials({ embedded, hosts, proxy, minted }: Preview, colors: Colors): string[] {
  const title = colors.bold('Which host gets which variables');
  // The service is not started for a preview, so its address is made up.
  if (embedded) return [title, '  None: the service and its tokens are made for the run, on this machine.'];
  const rows = given<readonly string[]>([
    ...hosts.map(({ host, variables }) => [visible(host), firstOf(variables, MOST_NAMES) || 'none']),
    proxy !== null && ['proxy', `${visible(proxy)} passes the requests on`],
    minted > 0 && ['TOKEN_COMMAND', `makes up to ${counted(minted, 'token')}; gets no variable of the suite`],
  ]);
  return [title, ...table(rows, colors), '  No other host gets any of them: redirects are not followed.'];
}
