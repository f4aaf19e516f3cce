import { counted, withArticle } from '../contract/amounts.ts';
import { given } from '../contract/collections.ts';
import type { Contract } from '../contract/contract.ts';
import { visible } from '../contract/visible-text.ts';
import type { RunFacts } from '../judge/judge-run.ts';
import { curlFor } from '../plan/curl.ts';
import { fullTokens } from '../plan/plan.ts';
import { sentenceOf } from '../record/body-sentence.ts';
import type { Exchange } from '../record/exchange.ts';
import { retryAfterMs } from '../record/lockout.ts';
import { type Answer, isAccepted, isTokenRefusal, type Observation, transportReason } from '../record/observation.ts';
import { isOutlived } from '../record/outlived.ts';

/** A full token that no request of the run was accepted with. */
export interface RefusedToken {
  /** `$USER_TOKEN`. */
  readonly token: string;
  /** The status of the first refusal. */
  readonly status: number;
  /** What the body of that refusal says, in one line. Null if it says nothing. */
  readonly said: string | null;
  /** The kind that the token seems to be of, because the target answers with a message for that kind alone. */
  readonly seems: string | null;
  /** How many requests that must be accepted were refused. */
  readonly requests: number;
  /** A command line that sends the first of them again. */
  readonly curl: string;
}

/** The full tokens that the target refused every time. Nothing that depends on them is decided (outcomes 2). Pure. */
export function refusedTokens(facts: RunFacts, exchanges: readonly Exchange[]): readonly RefusedToken[] {
  const { plan, parts, settings } = facts;
  if (settings.trusted) return [];
  const mustBeAccepted = new Map(plan.acceptances.map((planned) => [planned.id, planned]));
  return fullTokens(plan.acceptances).flatMap(({ credential }): RefusedToken[] => {
    const sent = exchanges.filter((exchange) => exchange.credential === credential.recipe);
    if (sent.some(({ observation }) => isAccepted(observation))) return [];
    const refusals = sent.flatMap(({ case: id, observation }) => {
      const planned = mustBeAccepted.get(id);
      // Only these statuses are about the token (outcomes 4). 429 asks to slow down.
      return planned && observation.kind === 'answer' && isTokenRefusal(observation) ? [{ planned, observation }] : [];
    });
    const [first] = refusals;
    if (!first) return [];
    const { planned, observation } = first;
    return [
      {
        token: credential.recipe,
        status: observation.status,
        said: saidIn(observation),
        seems: kindThatGets(facts.contract, observation, planned.values.kind),
        requests: refusals.length,
        curl: curlFor(parts, settings, planned),
      },
    ];
  });
}

/** It is printed before there is a report, so it is made visible here. */
function saidIn(observation: Answer): string | null {
  const said = sentenceOf(observation);
  return said === undefined ? null : visible(said.slice(0, MOST_CHARACTERS));
}
const MOST_CHARACTERS = 200;

/** The one kind for which the contract allows a message of this refusal, if that is another kind. */
function kindThatGets({ rules }: Contract, { whole }: Answer, own: string): string | null {
  for (const id of whole) {
    const kinds = new Set(rules.messages[id]?.allowed.map(({ kind }) => kind));
    const [kind] = kinds;
    if (kinds.size === 1 && typeof kind === 'string' && kind !== own) return kind;
  }
  return null;
}

/** `$USER_TOKEN was refused on every request (401: Unauthorized). Check the token first.` */
export function refusedInWords({ token, status, said, seems, requests }: RefusedToken): string {
  const often = requests === 1 ? '' : ' on every request';
  const name = token.replace('$', '');
  const advice =
    seems === null
      ? 'Check the token first.'
      : `It seems to be ${withArticle(`${seems} token`)}: set ${seems}_TOKEN to it, and ${name} to a token of its own kind.`;
  return `${token} was refused${often} (${status}${said === null ? '' : `: ${said}`}). ${advice}`;
}

const MANY_LOST = 100;

/**
 * Problems that made the run wait or send again, one sentence each. Checks also send odd requests that many servers never
 * answer, which are not sent again and are no trouble. Pure: a journal gives the same sentences.
 */
export function troubleOf(exchanges: readonly Exchange[]): readonly string[] {
  const seen = exchanges.map(({ observation }) => observation);
  const limited = seen.filter((observation) => observation.kind === 'answer' && observation.status === 429);
  const locked = seen.filter((observation) => observation.kind === 'failure' && observation.failure === 'locked-out');
  const outlived = seen.filter(isOutlived);
  const others = new Set([...limited, ...locked, ...outlived]);
  const isLost = ({ observation }: Exchange) => transportReason(observation) !== undefined && !others.has(observation);
  const lost = againSent(exchanges)
    .filter(isLost)
    .map(({ observation }) => observation);
  const longest = Math.max(0, ...limited.map((observation) => retryAfterMs(observation, 0) ?? 0)) / 1000;
  const asked = longest > 0 ? `429, Retry-After up to ${longest} s` : '429';
  return given([
    limited.length > 0 &&
      `the target asked to slow down ${times(limited)} (${asked}); the run paused each time${adviceFor(limited, 'set CONFORMANCE_RATE to the requests a second that it allows')}`,
    locked.length > 0 && `the target locked the run out; refusals from that time (${locked.length}) do not count`,
    outlived.length > 0 &&
      `${counted(outlived.length, 'refusal')} came after a token had expired during the run, and decide nothing: use tokens that live longer than the run`,
    lost.length > 0 &&
      `${counted(lost.length, 'request')} got no answer from the application (${reasonsOf(lost)}) and had to be sent again${adviceFor(lost, 'if it serves few requests at once, lower CONFORMANCE_CONCURRENCY')}`,
  ]);
}

/**
 * The requests of the matrix, which are all sent again if they are lost, and those requests of checks to an operation that got an
 * answer when they were sent again. A request that never gets one is refused in that way (outcomes 3): checks send malformed
 * ones. A raw request names no operation, and a target need not answer it.
 */
function againSent(exchanges: readonly Exchange[]): readonly Exchange[] {
  const keyOf = ({ case: id, credential, step }: Exchange) => [id, credential, step?.shows].join('\n');
  const answered = exchanges.filter(({ observation }) => transportReason(observation) === undefined);
  const last = new Map(answered.map((exchange) => [keyOf(exchange), exchange.seq]));
  const isSentAgain = (exchange: Exchange): boolean => {
    const isAnsweredLater = (last.get(keyOf(exchange)) ?? 0) > exchange.seq;
    switch (exchange.role) {
      case 'check':
        return exchange.step?.operation !== undefined && isAnsweredLater;
      // The run ends at once if nobody answers, and says so.
      case 'preflight':
        return isAnsweredLater;
      case 'cell':
      case 'control':
      case 'confirmation':
      case 'recurrence':
        return true;
    }
  };
  return exchanges.filter(isSentAgain);
}

const adviceFor = ({ length }: readonly unknown[], advice: string): string => (length > MANY_LOST ? `; ${advice}` : '');

function times({ length }: readonly unknown[]): string {
  return length === 1 ? 'once' : `${length} times`;
}

/** The first reasons, each once. */
function reasonsOf(lost: readonly Observation[]): string {
  const reasons = [...new Set(lost.map((observation) => transportReason(observation) ?? ''))].sort();
  return `${reasons.slice(0, 4).join(', ')}${reasons.length > 4 ? ' and others' : ''}`;
}
