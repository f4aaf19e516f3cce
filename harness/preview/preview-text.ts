import type pc from 'picocolors';
import { suiteVersion } from '../record/suite-version.ts';
import { table } from '../render/terminal-table.ts';
import { clean } from '../report/visible-text.ts';
import { claimsInWords } from '../settings/claims.ts';
import type { Preview } from './preview.ts';

type Colors = ReturnType<typeof pc.createColors>;
const MOST_NAMES = 12;

/** `plan` for people. */
export function renderPreview(plan: Preview, colors: Colors): string {
  const sections = [
    [colors.bold(`client-api-conformance ${suiteVersion}`) + colors.dim('  plan; nothing was sent')],
    decides(plan, colors),
    traffic(plan, colors),
    credentials(plan, colors),
  ];
  return sections.map((lines) => lines.join('\n')).join('\n\n');
}

function decides({ requirements, next, claims }: Preview, colors: Colors): string[] {
  const { claimed, decidable, undecidable } = requirements;
  const named = claimsInWords(claims);
  const line = `${decidable} of ${claimed} requirements can be decided with what is set`;
  const rows = next.flatMap(({ variables, requirements: whole, gain, places }) => [
    `  add ${colors.bold(variables.join(' '))}`,
    `      to decide ${gain} more on ${few(places)}${whole.length === 0 ? '' : `, and with them ${counted(whole.length, 'requirement')}: ${few(whole)}`}`,
  ]);
  return [
    colors.bold(decidable === claimed ? colors.green(`✔ ${line}`) : colors.yellow(`? ${line}`)),
    ...table([['claims', `${named}${claims.inferred ? ' (inferred)' : ''}`]], colors),
    ...(undecidable.length > 0 ? table([['undecided', few(undecidable)]], colors) : []),
    ...(rows.length > 0 ? ['', colors.bold('What to set next, the most useful first'), ...rows] : []),
  ];
}

function traffic(plan: Preview, colors: Colors): string[] {
  const { matrix, checks, chatBudget, narrowed } = plan;
  const all = matrix.requests + checks.requests;
  const chats = matrix.chats + checks.chats;
  const short = chatBudget !== null && !chatBudget.suffices && chatBudget.wanted > chatBudget.limit;
  const spared = chatBudget?.suffices ? chatBudget.wanted - chats : 0;
  const rows = [
    ['target', plan.embedded ? 'the embedded reference service' : clean(plan.target)],
    ...(narrowed === null ? [] : [['narrowed', clean(narrowed)]]),
    ['cases', `${plan.cases} at depth ${plan.depth}`],
    ['requests', `about ${all}: ${matrix.requests} of the matrix, ${checks.requests} of checks`],
    ['denied', `${matrix.denied + checks.denied} of them, on purpose`],
    [
      'chats',
      `${chats} accepted${chatBudget === null ? '' : ` of at most ${chatBudget.limit}`}${spared > 0 ? `; ${spared} that would show nothing new are left out` : ''}`,
    ],
    ['takes', duration(plan)],
  ];
  return [
    colors.bold('What a run sends'),
    ...table(rows, colors),
    ...(short
      ? [
          colors.yellow(
            `  ! a target that accepts whatever it may needs CONFORMANCE_CHAT_BUDGET=${chatBudget.wanted}, or something stays inconclusive`,
          ),
        ]
      : []),
  ];
}

function duration({ seconds, rate, held }: Preview): string {
  if (seconds === null) return 'as long as the target takes: no rate is set';
  const waits =
    held && held.seconds > 1
      ? `, ${spoken(held.seconds)} of it waiting so that no more than ${held.denialsPerMinute} tokens a minute are refused`
      : '';
  return `about ${spoken(seconds)} at ${rate} requests a second${waits}`;
}

/** `2 min 9 s`. */
export function spoken(seconds: number): string {
  const whole = Math.round(seconds);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  return [...(minutes > 0 ? [`${minutes} min`] : []), ...(rest > 0 || minutes === 0 ? [`${rest} s`] : [])].join(' ');
}

function credentials({ hosts, proxy, minted }: Preview, colors: Colors): string[] {
  return [
    colors.bold('What goes to which host'),
    ...table(
      [
        ...hosts.map(({ host, variables }) => [clean(host), few(variables)]),
        ...(proxy === null ? [] : [['proxy', `${clean(proxy)}, on the way there`]]),
        ...(minted === 0
          ? []
          : [['TOKEN_COMMAND', `is asked for ${minted} tokens, and sees no variable of the suite`]]),
      ],
      colors,
    ),
    '  Nothing else gets any of it: redirects are not followed.',
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function few(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}` || 'nothing';
}
