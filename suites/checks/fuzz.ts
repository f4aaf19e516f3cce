import { outcomeOf } from '../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import { controlOf } from './shared/confirm.ts';
import { curlOf, JSON_LINE, type Line } from './shared/curl-line.ts';
import { type Decided, decisionOn, fail, inconclusive, observed, observedRefusal, warn } from './shared/decision.ts';
import {
  authorizations,
  authTypes,
  checkProperty,
  forwardedIdentities,
  type HeaderValues,
  identities,
} from './shared/fuzz-values.ts';

/** One header of one kind of request, and the values to put into it. */
interface FuzzTarget<T> {
  readonly kind: string;
  readonly credential: Credential | undefined;
  readonly values: HeaderValues<T>;
  readonly runs: number;
  /** The header lines of the request. `isShown`: as they are printed in a curl line. */
  lines(value: T, isShown: boolean): readonly Line[];
  /** The requirement that covers such a value. */
  requirementOf(value: T): string;
  /** The verdict if nothing is wrong. */
  readonly verdict: 'pass' | 'observed';
  /** Similar cases of the matrix. If the target answers one of them as wrongly, the matrix blames it and the check does not. */
  readonly neighbours: readonly (readonly [kind: string, values: Readonly<Record<string, string>>])[];
}

/** Sends random header values within HTTP's grammar. They must not cause a server error, nor be accepted as a credential. */
export async function fuzz(api: CheckApi): Promise<readonly CheckResult[]> {
  const [operation] = api.contract.operations;
  if (!operation) return [];
  const results = [
    await fuzzHeader(api, operation, authorizationTarget(api)),
    await fuzzHeader(api, operation, forwardedTarget(api)),
  ];
  for (const target of targetsWithTokens(api)) results.push(await fuzzHeader(api, operation, target));
  return results.flat();
}

function authorizationTarget({ contract, claims: { kinds } }: CheckApi): FuzzTarget<string> {
  const { name } = contract.matrix.headers.authorization;
  const alike = [{ authorization: 'basic' }, { authorization: 'no-scheme' }, { validity: 'tampered' }];
  const neighbours = kinds.flatMap((kind) => alike.map((values) => [kind, values] as const));
  return {
    kind: 'none',
    credential: undefined,
    values: authorizations,
    runs: 15,
    lines: (value, isShown) => [[name, isShown ? escaped(value) : value]],
    requirementOf: (value) => (/^bearer +\S+\s*$/i.test(value) ? 'token.unknown' : 'authorization.malformed'),
    verdict: 'pass',
    neighbours: [['none', {}], ['none', { authorization: 'empty' }], ['unknown', {}], ...neighbours],
  };
}

function forwardedTarget({ people }: CheckApi): FuzzTarget<Line> {
  // Reports must not show an email address.
  const shown = (value: string) => (value === people.actAs ? '$ACT_AS_EMAIL' : escaped(value));
  return {
    kind: 'none',
    credential: undefined,
    values: forwardedIdentities(people.actAs ?? 'admin'),
    runs: 7,
    lines: ([name, value], isShown) => [[name, isShown ? shown(value) : value]],
    requirementOf: () => 'authorization.required',
    verdict: 'pass',
    neighbours: [['none', {}]],
  };
}

/** X-Service-ActAs beside a token that needs it and beside one that does not, and X-Service-Auth-Type. */
function targetsWithTokens(api: CheckApi): FuzzTarget<string>[] {
  const { headers, kinds } = api.contract.matrix;
  const claimed = (fits: (kind: string) => boolean) => api.claims.kinds.find((kind) => fits(kind) && api.full(kind));
  const acting = claimed((kind) => actsAs(api.contract, kind));
  const own = claimed((kind) => !actsAs(api.contract, kind));
  const external = claimed((kind) => kinds[kind]?.family === 'external') ?? own;
  const target = (kind: string, dimension: 'act-as' | 'auth-type', values: HeaderValues<string>, runs: number) => {
    const credential = api.full(kind);
    return {
      kind,
      credential,
      values,
      runs,
      lines: (value: string, isShown: boolean): Line[] => [
        [headers.authorization.name, `Bearer ${(isShown ? credential?.shell : credential?.token) ?? ''}`],
        [headers[dimension].name, isShown ? escaped(value) : value],
      ],
    };
  };
  const open = { verdict: 'observed', neighbours: [] } as const;
  return [
    ...(acting === undefined
      ? []
      : [
          {
            ...target(acting, 'act-as', identities, 8),
            requirementOf: () => 'act-as.unknown',
            verdict: 'pass' as const,
            neighbours: ['malformed', 'unknown', 'unknown-domain', 'blank'].map(
              (value) => [acting, { 'act-as': value }] as const,
            ),
          },
        ]),
    ...(own === undefined
      ? []
      : [{ ...target(own, 'act-as', identities, 6), ...open, requirementOf: () => 'act-as.not-needed' }]),
    ...(external === undefined
      ? []
      : [{ ...target(external, 'auth-type', authTypes, 4), ...open, requirementOf: () => 'auth-type.other' }]),
  ];
}

async function fuzzHeader<T>(parent: CheckApi, operation: Operation, target: FuzzTarget<T>): Promise<CheckResult[]> {
  const api = parent.fork();
  const { kind, credential, values, runs, verdict } = target;
  const lost = new Set<string>();
  let fault: Fault | undefined;
  const send = (value: T) => {
    const lines = target.lines(value, false);
    const shows = `a request with ${lines.map(([name]) => name).join(' and ')} as made up is no server error`;
    const wanted = verdict === 'pass' ? 'refused' : 'either';
    return api.call({ operation, credential, authorization: null, headers: lines, shows, wanted });
  };
  const found = await checkProperty(api, {
    values: values.random,
    examples: values.examples,
    runs,
    async violation(value) {
      // If one request gets no answer after its retries, the others are not sent: each would take as long.
      if (lost.size > 0) return undefined;
      const answer = await send(value);
      const outcome = outcomeOf(answer);
      if (outcome.kind === 'lost') lost.add(outcome.why);
      const got = faultOf(answer, verdict === 'pass');
      // A server error counts if it comes again, a wrong acceptance at once (outcomes 3).
      if (got === undefined || (got.kind === 'crashed' && faultOf(await send(value), true) === undefined))
        return undefined;
      fault = got;
      return `${got.kind === 'accepted' ? 'accepted' : 'answered'} with ${got.status}`;
    },
  });
  const unit = { operation: operation.id, kind };
  if (found) {
    if (fault && (await isBlamedByMatrix(api, operation, target, fault))) return [];
    const lines = target.lines(found.value, true);
    const shown = lines.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(' and ');
    // A target that fails on everything does not fail because of the value.
    const control = fault?.kind === 'crashed' ? await controlOf(api, operation.id, kindsFor(api, target)) : undefined;
    const isUnproven = fault?.kind === 'crashed' && !control;
    // Where the specification is silent, a server error is a warning (RFC 9110 15.6).
    const blamed = verdict === 'observed' ? warn : fail;
    const detail = `${found.violation}: ${shown} (${found.replay})`;
    const decided = isUnproven ? inconclusive(`${detail}; nothing else is accepted`) : blamed(fault?.answer, detail);
    const curl = curlOf({ ...operation, lines: [...lines, JSON_LINE], text: JSON.stringify(operation.example) });
    return [{ ...decisionOn(api, { ...unit, requirement: target.requirementOf(found.value) }, decided), curl }];
  }
  const [reason] = lost;
  const decide = async (): Promise<Decided> => {
    const lostOne = `a value got no answer: ${reason}`;
    // What ends the target for good leaves nobody to answer the control either.
    if (reason !== undefined && (await controlOf(api, operation.id))) return observed(lostOne);
    if (reason !== undefined) return inconclusive(`${lostOne}; nothing after it is accepted`);
    const tried = `${runs} values tried (seed ${api.seed})`;
    if (verdict === 'observed') return observed(tried);
    // Which refusal a value gets is not judged here, and a target that accepts nothing refuses every value, too.
    return observedRefusal(await controlOf(api, operation.id, kindsFor(api, target)), tried);
  };
  const decided = await decide();
  const requirements = [...new Set(values.examples.map(target.requirementOf))];
  return requirements.map((requirement) => decisionOn(api, { ...unit, requirement }, decided));
}

/** The kinds whose acceptance is the control: that of the token, or any if there is none. */
function kindsFor<T>({ claims }: CheckApi, { kind, credential }: FuzzTarget<T>): readonly string[] {
  return credential ? [kind] : claims.kinds;
}

/** An answer that a value must not get: a 2xx if the value belongs to nobody, or a server error. */
interface Fault {
  readonly kind: 'accepted' | 'crashed';
  readonly status: number;
  readonly answer: CheckAnswer;
}

function faultOf(answer: CheckAnswer, isForNobody: boolean): Fault | undefined {
  const outcome = outcomeOf(answer);
  switch (outcome.kind) {
    case 'accepted':
      return isForNobody ? { kind: 'accepted', status: outcome.status, answer } : undefined;
    case 'refused': {
      const { status } = outcome;
      // 501 and 505 say what the server does not support (RFC 9110 15.6.2 and 15.6.6).
      return status >= 500 && status !== 501 && status !== 505 ? { kind: 'crashed', status, answer } : undefined;
    }
    case 'lost':
      return undefined;
  }
}

/** Whether a similar case of the matrix shows the same fault. A case that misses in another way does not count. */
async function isBlamedByMatrix<T>(
  api: CheckApi,
  operation: Operation,
  { neighbours }: FuzzTarget<T>,
  fault: Fault,
): Promise<boolean> {
  for (const [kind, values] of neighbours) {
    const planned = api.planned(operation.id, kind, values);
    if (!planned) continue;
    const { answer, judgement } = await api.send(planned, `${planned.id} is refused`);
    if (judgement?.kind === 'miss' && faultOf(answer, true)?.kind === fault.kind) return true;
  }
  return false;
}

/** Escapes what a shell would expand between double quotes. */
function escaped(value: string): string {
  return value.replace(/[\\"`$]/g, '\\$&');
}
