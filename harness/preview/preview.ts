import { ownContractOf } from '../contract/contract.ts';
import { expandOnce } from '../plan/expand.ts';
import { describeNarrowing, isNarrowed } from '../plan/narrowing.ts';
import type { PlanCounts } from '../render/terminal-start.ts';
import { notTried, variedIn } from '../report/not-tried.ts';
import type { Report } from '../report/report.ts';
import { type ReportedSight, sightOf } from '../report/sight.ts';
import { FIRST_PACE, mostRefused } from '../send/denials.ts';
import { proxyFor } from '../send/proxy.ts';
import type { Settings } from '../settings/settings.ts';
import { isSecret } from '../settings/variables.ts';
import { withTokensToMint } from './made-up-values.ts';
import { outlookOn, type SightAdded, sightAdded } from './outlook.ts';
import { chatNeed, type Rehearsal, type RehearsalOptions, rehearse, type Traffic } from './rehearse.ts';
import { type Decidable, decidable } from './what-to-set-next.ts';

/** What a run would send and decide: the value that `plan --json` prints. */
export interface Preview
  extends PlanCounts,
    Pick<Report, 'target' | 'embedded' | 'narrowed' | 'claims' | 'varied' | 'notTried'> {
  readonly planVersion: 1;
  /** The name and digest of a contract that somebody else wrote. */
  readonly ownContract?: { readonly name: string; readonly digest: string };
  /** For the whole run, even if flags narrow it. */
  readonly requirements: {
    readonly claimed: number;
    readonly decidable: number;
    readonly undecidable: readonly string[];
  };
  /** What to set next, the most useful first. Each step assumes those before it. */
  readonly next: Decidable['steps'];
  readonly sight: readonly ReportedSight[];
  /** What each token that is not set would add, the one that adds most first. */
  readonly sightAdded: readonly SightAdded[];
  readonly matrix: Traffic;
  readonly checks: Traffic;
  /**
   * The budget of accepted chats, how many there would be without a limit, how many of them show something new, and whether
   * the budget suffices to decide everything. Null for a target on this machine, which has no limit.
   */
  readonly chatBudget: {
    readonly limit: number;
    readonly wanted: number;
    readonly needed: number;
    readonly suffices: boolean;
  } | null;
  /** Requests a second; null without a limit. */
  readonly rate: number | null;
  /** How long the run takes; null without a rate, because it then depends on the target. */
  readonly seconds: number | null;
  /** How long it takes if the target shows a limit, so that no more tokens a minute are refused than in the first. */
  readonly secondsIfLimited: number | null;
  /** The part of `seconds` that is spent in pauses, so that at most this many tokens are refused in a minute. */
  readonly held: { readonly seconds: number; readonly denialsPerMinute: number } | null;
  readonly hosts: readonly { readonly host: string; readonly variables: readonly string[] }[];
  readonly proxy: string | null;
  /** How many tokens TOKEN_COMMAND would be asked for. It may not be able to make all of them. */
  readonly minted: number;
}
type PreviewOptions = Required<Pick<RehearsalOptions, 'checks' | 'intrusive' | 'narrowing'>>;

const MOST_STEPS = 8;

/** Rehearses the run. Sends nothing, does not run TOKEN_COMMAND and writes nothing. */
export async function makePreview(given: Settings, { checks, intrusive, narrowing }: PreviewOptions): Promise<Preview> {
  const casesAt = expandOnce(given.catalogue.contract);
  const settings = withTokensToMint(given, casesAt);
  const options = { checks, intrusive, narrowing, casesAt };
  const sent = sentVariables(settings);
  // What a run against the embedded service sends is made for it.
  const noting = settings.trusted ? options : { ...options, onSent: sent.note };
  const need = await chatNeed(settings, noting);
  const rehearsal = need?.rehearsal ?? (await rehearse(settings, noting));
  const { judged, session, matrix, checks: ofChecks, lastsMs } = rehearsal;
  const { rate, baseUrl } = settings;
  const { contract } = settings.catalogue;
  const most = mostRefused(settings);
  const limited = { ...settings, refusedPerMinute: FIRST_PACE };
  const isFaster = rate !== undefined && most !== undefined && most > FIRST_PACE;
  const { lastsMs: limitedMs } = isFaster
    ? await rehearse(limited, { ...options, ...(need && { chatLimit: need.limit }) })
    : rehearsal;
  const suffices = judged.requirements.every(({ undecided }) =>
    undecided.every(({ status }) => status !== 'inconclusive'),
  );
  // A whole rehearsal that no limit cut short need not be repeated.
  const now = suffices && !isNarrowed(narrowing) ? outlookOn(judged) : undefined;
  const { claimed, decided, steps } = await decidable(given, { checks, intrusive, casesAt, most: MOST_STEPS, now });
  const secondsOf = (ms: number) => Math.ceil(ms / 1000);
  const seconds = rate === undefined ? null : secondsOf(lastsMs);
  const secondsWithoutPauses = rate === undefined ? 0 : Math.ceil((matrix.requests + ofChecks.requests) / rate);
  const proxy = proxyFor(baseUrl);
  return {
    planVersion: 1,
    ...(ownContractOf(contract) !== undefined && { ownContract: { name: contract.name, digest: contract.digest } }),
    target: baseUrl,
    embedded: settings.trusted,
    depth: settings.depth,
    narrowed: isNarrowed(narrowing) ? describeNarrowing(narrowing) : null,
    claims: settings.claims,
    requirements: {
      claimed: claimed.length,
      decidable: decided.length,
      undecidable: claimed.filter((id) => !decided.includes(id)),
    },
    next: steps,
    sight: sightOf(session, judged),
    varied: variedIn(session, judged.decisions),
    notTried: notTried(session, judged),
    // Nobody can give the embedded target further tokens.
    sightAdded: settings.trusted ? [] : sightAdded(settings, session.whole, casesAt),
    cases: session.plan.cases.size,
    groups: session.plan.groups.length,
    handWrittenChecks: session.checks.length,
    matrix,
    checks: ofChecks,
    chatBudget: need ? { limit: need.limit.max, wanted: need.all, needed: need.fewest, suffices } : null,
    rate: rate ?? null,
    seconds,
    secondsIfLimited: seconds === null ? null : Math.max(seconds, secondsOf(limitedMs)),
    held:
      seconds === null || most === undefined
        ? null
        : { seconds: Math.max(0, seconds - secondsWithoutPauses), denialsPerMinute: most },
    hosts: hostsOf(settings, rehearsal, sent.byHost),
    proxy: proxy?.host ?? null,
    minted: settings.minted?.size ?? 0,
  };
}

/** Notes which variables the requests of a rehearsal contain, and which host they go to. */
function sentVariables({ catalogue, variables }: Settings) {
  const secrets = [...variables].flatMap(([name, { value }]) =>
    isSecret(catalogue.contract, name) && value !== ''
      ? [{ name, forms: [value, JSON.stringify(value).slice(1, -1)] }]
      : [],
  );
  const byHost = new Map<string, Set<string>>();
  return {
    byHost,
    note(origin: string, request: string) {
      const { host } = new URL(origin);
      const seen = byHost.get(host) ?? new Set();
      byHost.set(host, seen);
      for (const { name, forms } of secrets)
        if (!seen.has(name) && forms.some((form) => request.includes(form))) seen.add(name);
    },
  };
}

/**
 * Which host gets which variables. A run that is not narrowed may send every token of a claimed kind to the target: it looks for
 * the condition of what is wrong. The extra headers open the gateway of the target and go nowhere else.
 */
function hostsOf(
  { baseUrl, variables, extraHeaders }: Settings,
  { session }: Pick<Rehearsal, 'session'>,
  sent: ReadonlyMap<string, ReadonlySet<string>>,
): Preview['hosts'] {
  const { host } = new URL(baseUrl);
  const { whole, narrowing, settings } = session;
  const kinds = settings.claims.kinds;
  const atHand = whole.credentials.flatMap(({ use, credential }) =>
    kinds.includes(use.kind) ? [credential.variable] : [],
  );
  const ofTarget = new Set([
    ...(sent.get(host) ?? []),
    ...(isNarrowed(narrowing) ? [] : atHand),
    ...(extraHeaders.length > 0 ? ['CONFORMANCE_EXTRA_HEADERS'] : []),
  ]);
  const others = [...sent].filter(([other, names]) => other !== host && names.size > 0);
  return [[host, ofTarget] as const, ...others].map(([to, names]) => ({
    host: to,
    variables: [...variables.keys()].filter((name) => names.has(name)),
  }));
}
