import type { Check } from '../checks/check.ts';
import { expandOnce } from '../plan/expand.ts';
import { describeNarrowing, isNarrowed, type Narrowing } from '../plan/narrowing.ts';
import { REMOTE_DENIALS_PER_MINUTE } from '../send/denials.ts';
import { proxyFor } from '../send/proxy.ts';
import type { Settings } from '../settings/settings.ts';
import { isMarker, isSecret } from '../settings/variables.ts';
import { withTokensToMint } from './made-up-values.ts';
import { rehearse, type Traffic } from './rehearse.ts';
import { type Decidable, decidable } from './what-to-set-next.ts';

/** What a run would be and decide, said before any traffic; the form of `plan --json`. */
export interface Preview {
  readonly planVersion: 1;
  readonly target: string;
  readonly embedded: boolean;
  readonly depth: string;
  readonly narrowed: string | null;
  readonly claims: Settings['claims'];
  /** Of the whole run, whatever narrows it. */
  readonly requirements: {
    readonly claimed: number;
    readonly decidable: number;
    readonly undecidable: readonly string[];
  };
  /** What to set next, the most useful first; each counts on those before it. */
  readonly next: Decidable['steps'];
  readonly cases: number;
  readonly matrix: Traffic;
  readonly checks: Traffic;
  /** Accepted chats that the run may use, and would use without that limit; whether it decides everything all the same. */
  readonly chatBudget: { readonly limit: number; readonly wanted: number; readonly suffices: boolean } | null;
  /** Requests a second; null is as fast as the target answers, and then nothing can be said of the time. */
  readonly rate: number | null;
  readonly seconds: number | null;
  /** How much of that is spent waiting, so that no more tokens a minute are refused than this. */
  readonly held: { readonly seconds: number; readonly denialsPerMinute: number } | null;
  /** Who gets to see which variables. */
  readonly hosts: readonly { readonly host: string; readonly variables: readonly string[] }[];
  readonly proxy: string | null;
  /** How many tokens TOKEN_COMMAND would be asked for; what it can make is not known before. */
  readonly minted: number;
}
export interface PreviewOptions {
  readonly checks: readonly Check[];
  readonly intrusive: boolean;
  readonly narrowing: Narrowing;
}

const MOST_STEPS = 8;

/** Rehearses the run. Sends nothing, runs no TOKEN_COMMAND and writes nothing. */
export async function makePreview(asked: Settings, { checks, intrusive, narrowing }: PreviewOptions): Promise<Preview> {
  const casesAt = expandOnce(asked.catalogue.contract);
  const settings = withTokensToMint(asked, casesAt);
  const {
    judged,
    session,
    matrix,
    checks: checked,
    lastsMs,
  } = await rehearse(settings, { checks, intrusive, narrowing, casesAt });
  const unlimited = { ...settings, rate: undefined, chatBudget: Number.POSITIVE_INFINITY };
  const freely = settings.loopback ? undefined : await rehearse(unlimited, { checks, intrusive, narrowing, casesAt });
  const { requirements, decided, steps } = await decidable(asked, { checks, casesAt, most: MOST_STEPS });
  const { rate, baseUrl } = settings;
  const suffices = judged.requirements.every(({ undecided }) =>
    undecided.every(({ status }) => status !== 'inconclusive'),
  );
  const seconds = rate === undefined ? null : Math.ceil(lastsMs / 1000);
  const paced = rate === undefined ? 0 : Math.ceil((matrix.requests + checked.requests) / rate);
  const proxy = proxyFor(baseUrl);
  return {
    planVersion: 1,
    target: baseUrl,
    embedded: settings.trusted,
    depth: settings.depth,
    narrowed: isNarrowed(narrowing) ? describeNarrowing(narrowing) : null,
    claims: settings.claims,
    requirements: {
      claimed: requirements.length,
      decidable: decided.length,
      undecidable: requirements.filter((id) => !decided.includes(id)),
    },
    next: steps,
    cases: session.plan.cases.size,
    matrix,
    checks: checked,
    chatBudget: freely
      ? { limit: settings.chatBudget, wanted: freely.matrix.chats + freely.checks.chats, suffices }
      : null,
    rate: rate ?? null,
    seconds,
    held:
      seconds === null || settings.loopback
        ? null
        : { seconds: Math.max(0, seconds - paced), denialsPerMinute: REMOTE_DENIALS_PER_MINUTE },
    hosts: [{ host: new URL(baseUrl).host, variables: [...settings.variables.keys()].filter(isSent) }],
    proxy: proxy?.host ?? null,
    minted: settings.minted?.size ?? 0,
  };
}

function isSent(name: string): boolean {
  return isSecret(name) && !isMarker(name);
}
