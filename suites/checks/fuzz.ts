import type { Check, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { outcomeOf } from '../../harness/checks/outcome.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import { authorizations, authTypes, forwardedIdentities, type HeaderValues, identities } from './parts/fuzz-values.ts';
import { tryLaw } from './parts/law.ts';
import { curlOf, type Line, PLAIN_FORM } from './parts/request-form.ts';

/** One header of one kind of request that random values are put into. */
interface Aim<T> {
  readonly kind: string;
  readonly credential: Credential | undefined;
  readonly values: HeaderValues<T>;
  readonly runs: number;
  /** The header lines of the request; `isShown`: as a shell is given them. */
  lines(value: T, isShown: boolean): readonly Line[];
  /** The requirement that speaks of such a value. */
  requirementOf(value: T): string;
  /** What the request does in a run without a finding. */
  readonly verdict: 'pass' | 'observed';
  /** Values that the matrix decides for its requirements: where one of these is as wrong, this adds nothing. */
  readonly neighbours: readonly (readonly [kind: string, values: Readonly<Record<string, string>>])[];
}

const BEARER = /^bearer +\S+\s*$/i;

/** Random values within HTTP's grammar: never a server error, and no acceptance of what stands for nobody. */
export const fuzz: Check = {
  id: 'fuzz',
  title: 'No value of a header provokes a server error, and none that stands for nobody is accepted',
  requirements: [
    'authorization.required',
    'authorization.malformed',
    'token.unknown',
    'act-as.unknown',
    'act-as.not-needed',
    'auth-type.other',
  ],
  intrusive: true,
  async run(api) {
    const [operation] = api.contract.operations;
    if (!operation) return [];
    const results = [
      await shoot(api, operation, authorizationAim(api)),
      await shoot(api, operation, forwardedAim(api)),
    ];
    for (const aim of aimsWithTokens(api)) results.push(await shoot(api, operation, aim));
    return results.flat();
  },
};

function authorizationAim({ contract, claims: { kinds } }: CheckApi): Aim<string> {
  const { name } = contract.matrix.headers.authorization;
  const neighbours = kinds.flatMap((kind) => [
    [kind, { authorization: 'basic' }] as const,
    [kind, { authorization: 'no-scheme' }] as const,
    [kind, { validity: 'tampered' }] as const,
  ]);
  return {
    kind: 'none',
    credential: undefined,
    values: authorizations,
    runs: 15,
    lines: (value, isShown) => [[name, isShown ? escaped(value) : value]],
    requirementOf: (value) => (BEARER.test(value) ? 'token.unknown' : 'authorization.malformed'),
    verdict: 'pass',
    neighbours: [['none', {}], ['none', { authorization: 'empty' }], ['unknown', {}], ...neighbours],
  };
}

function forwardedAim({ people }: CheckApi): Aim<Line> {
  // What a report shows names nobody.
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

/** The acting user beside a token that needs one and beside one that does not, and the authentication type. */
function aimsWithTokens(api: CheckApi): Aim<string>[] {
  const { headers, kinds } = api.contract.matrix;
  const claimed = (fits: (kind: string) => boolean) => api.claims.kinds.find((kind) => fits(kind) && api.full(kind));
  const acting = claimed((kind) => actsAs(api.contract, kind));
  const own = claimed((kind) => !actsAs(api.contract, kind));
  const external = claimed((kind) => kinds[kind]?.family === 'external') ?? own;
  const aim = (kind: string, dimension: 'act-as' | 'auth-type', values: HeaderValues<string>, runs: number) => {
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
            ...aim(acting, 'act-as', identities, 8),
            requirementOf: () => 'act-as.unknown',
            verdict: 'pass' as const,
            neighbours: ['malformed', 'unknown', 'unknown-domain', 'blank'].map(
              (value) => [acting, { 'act-as': value }] as const,
            ),
          },
        ]),
    ...(own === undefined
      ? []
      : [{ ...aim(own, 'act-as', identities, 6), ...open, requirementOf: () => 'act-as.not-needed' }]),
    ...(external === undefined
      ? []
      : [{ ...aim(external, 'auth-type', authTypes, 4), ...open, requirementOf: () => 'auth-type.other' }]),
  ];
}

async function shoot<T>(api: CheckApi, operation: Operation, aim: Aim<T>): Promise<CheckResult[]> {
  const { kind, credential, values, runs, verdict } = aim;
  const lost = new Set<string>();
  let fault: Fault | undefined;
  const send = (value: T) => api.call({ operation, credential, authorization: null, headers: aim.lines(value, false) });
  const found = await tryLaw(api, {
    values: values.random,
    examples: values.examples,
    runs,
    async broken(value) {
      // One that is not answered, after its retries, speaks for all: nobody waits for each of them.
      if (lost.size > 0) return undefined;
      const answer = await send(value);
      const outcome = outcomeOf(answer);
      if (outcome.kind === 'lost') lost.add(outcome.why);
      const got = faultOf(answer, verdict === 'pass');
      // An error of the server counts when it comes again, a wrong acceptance at once.
      if (got === undefined || (got.kind === 'crashed' && faultOf(await send(value), true) === undefined))
        return undefined;
      fault = got;
      return `${got.kind === 'accepted' ? 'accepted' : 'answered'} with ${got.status}`;
    },
  });
  const unit = { operation: operation.id, kind };
  if (found) {
    if (fault && (await isAlike(api, operation, aim, fault))) return [];
    const message = { method: operation.method, path: operation.path, body: operation.example };
    return [
      {
        ...unit,
        requirement: aim.requirementOf(found.value),
        verdict: 'fail',
        detail: `${found.how} with ${JSON.stringify(aim.lines(found.value, true))} (${found.replay})`,
        curl: curlOf({ ...message, lines: aim.lines(found.value, true) }, PLAIN_FORM),
      },
    ];
  }
  const [reason] = lost;
  const detail = reason === undefined ? `${runs} values, with seed ${api.seed}` : `a value ended in: ${reason}`;
  const requirements = new Set(values.examples.map(aim.requirementOf));
  return [...requirements].map((requirement) => ({
    ...unit,
    requirement,
    verdict: reason === undefined ? verdict : 'observed',
    detail,
  }));
}

/** What must not come of a value: a 2xx where it stands for nobody, or an error of the server. */
interface Fault {
  readonly kind: 'accepted' | 'crashed';
  readonly status: number;
}

function faultOf(answer: CheckAnswer, isForNobody: boolean): Fault | undefined {
  const outcome = outcomeOf(answer);
  switch (outcome.kind) {
    case 'accepted':
      return isForNobody ? outcome : undefined;
    case 'refused': {
      const { status } = outcome;
      // But for those that say what the server does not know (RFC 9110 15.6.2 and 15.6.6).
      return status >= 500 && status !== 501 && status !== 505 ? { kind: 'crashed', status } : undefined;
    }
    case 'lost':
      return undefined;
  }
}

/** Whether a neighbour is wrong in the same way. One that only misses what it should be says nothing of this. */
async function isAlike<T>(api: CheckApi, operation: Operation, { neighbours }: Aim<T>, fault: Fault): Promise<boolean> {
  for (const [kind, values] of neighbours) {
    const planned = api.planned(operation.id, kind, values);
    if (!planned) continue;
    const { answer, judgement } = await api.send(planned);
    if (judgement?.kind === 'miss' && faultOf(answer, true)?.kind === fault.kind) return true;
  }
  return false;
}

/** What a shell leaves as it is between double quotes. */
function escaped(value: string): string {
  return value.replace(/[\\"`$]/g, '\\$&');
}
