import type { Answered } from '../../harness/checks/acceptance.ts';
import {
  type Check,
  type CheckAnswer,
  type CheckApi,
  type CheckResult,
  showsMarker,
} from '../../harness/checks/check.ts';
import { outcomeOf } from '../../harness/checks/outcome.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Case } from '../../harness/plan/case.ts';
import type { Breadth } from '../../harness/record/exchange.ts';
import { operationsToTry } from './shared/breadth.ts';
import { type Decided, decisionOn, fail, inconclusive, OWN_RECIPES, observed, pass } from './shared/decision.ts';
import { identitySpellings } from './shared/identity-spellings.ts';
import { kindHeaders } from './shared/kind-headers.ts';
import type { Line } from './shared/request-form.ts';
import { isServed } from './shared/served.ts';
import { tokenSpellings } from './shared/token-spellings.ts';

/** A request that must be refused because something in it is written otherwise. */
interface Misspelt {
  readonly how: string;
  readonly requirement: string;
  /** By default the documented line. */
  readonly authorization?: string | null;
  /** What Authorization has instead of the token. */
  readonly made?: string;
  readonly headers: readonly Line[];
  readonly isFree?: boolean;
  /** The query of the person whose email is spelled otherwise. Accepted, it is wrong only if it finds the text that only they may see. */
  readonly query?: string;
  /** Similar cases of the matrix. If the target accepts one of them, the matrix blames it and the check does not. */
  readonly neighbours: readonly Partial<Case['values']>[];
}

/** An identity or a token that is written otherwise is another one (outcomes 2). */
export const spellings: Check = {
  id: 'spellings',
  title: 'An email, a token or a header name that is written otherwise does not count as the documented one',
  interpreted: OWN_RECIPES,
  requirements: [
    'act-as.unknown',
    'act-as.missing',
    'auth-type.missing',
    'authorization.malformed',
    'authorization.required',
    'token.tampered',
  ],
  intrusive: false,
  async run(api) {
    const results: CheckResult[] = [];
    const families = new Set<string>();
    for (const kind of api.claims.kinds) {
      const family = api.contract.matrix.kinds[kind]?.family ?? '';
      for (const operation of operationsToTry(api)) {
        // Tokens of one family are read in the same way.
        const withTokens = !families.has(family) && !operation.isSlow;
        const misspelt = [...identities(api, operation, kind)];
        if (!operation.isSlow) misspelt.push(...headerNames(api, kind, !families.has(family)));
        if (withTokens) misspelt.push(...tokens(api, kind));
        if (misspelt.length > 0) results.push(...(await decide(api, { operation, kind }, misspelt)));
      }
      families.add(family);
    }
    return results;
  },
};

/** X-Service-ActAs and X-Service-Auth-Type under other names. */
function headerNames(api: CheckApi, kind: string, isFirstOfFamily: boolean): Misspelt[] {
  const { headers, kinds } = api.contract.matrix;
  const { 'act-as': person, 'auth-type': type } = headers;
  const named = (requirement: string, missing: string, neighbour: Partial<Case['values']>): Misspelt[] =>
    otherNames(missing, api.breadth).map((other) => ({
      how: `${other} instead of ${missing}`,
      requirement,
      headers: kindHeaders(api, kind).map(([name, value]): Line => [name === missing ? other : name, value]),
      neighbours: [neighbour],
    }));
  // Each name is sent alone, because a target can refuse one of them and read another.
  const needsType = kinds[kind]?.family === 'external' && isFirstOfFamily;
  return [
    ...(needsType ? named('auth-type.missing', type.name, { 'auth-type': 'absent' }) : []),
    ...(actsAs(api.contract, kind) && api.people.actAs !== undefined
      ? named('act-as.missing', person.name, { 'act-as': 'absent' })
      : []),
  ];
}

/** `X_Service_ActAs` and others. Some gateways pass on underscores as hyphens. */
function otherNames(name: string, breadth: Breadth): readonly string[] {
  const telling = [
    name.replaceAll('-', '_'),
    name.replace(/([a-z])([A-Z])/g, '$1-$2'),
    name.replace(/-([^-]+)$/, '$1'),
  ];
  const names = breadth === 'whole' ? [...telling, name.replace('X-', ''), `${name}-`] : telling;
  return names.filter((other) => other !== name);
}

/** X-Service-ActAs in other words. */
function identities(api: CheckApi, { isSlow }: Operation, kind: string): Misspelt[] {
  const { actAs, user, nobody } = api.people;
  const { 'act-as': person } = api.contract.matrix.headers;
  if (!actsAs(api.contract, kind) || actAs === undefined) return [];
  const query = api.variable('ACT_AS_PRIVATE_QUERY');
  const all = identitySpellings(actAs, user ?? nobody).filter((one) => !one.mayBeAnothers || query !== undefined);
  const spelled = api.breadth === 'whole' && !isSlow ? all : all.filter(({ isTelling }) => isTelling);
  return spelled.map(
    ({ how, value, isFree, mayBeAnothers }): Misspelt => ({
      how: `${person.name} with ${how}`,
      requirement: 'act-as.unknown',
      headers: kindHeaders(api, kind, value),
      ...(isFree && { isFree }),
      ...(mayBeAnothers && query !== undefined && { query }),
      neighbours: [{ 'act-as': 'unknown' }, { 'act-as': 'malformed' }, { 'act-as': 'unknown-domain' }],
    }),
  );
}

function tokens(api: CheckApi, kind: string): Misspelt[] {
  const token = api.full(kind)?.token ?? '';
  const usual = kindHeaders(api, kind);
  const { name } = api.contract.matrix.headers.authorization;
  const bearer = `Bearer ${token}`;
  const elsewhere: Line[] = [
    ...[`${name}_`, 'Authorisation', `X-${name}`, `Proxy-${name}`].map((other): Line => [other, bearer]),
    ...['X-Api-Key', 'X-Access-Token', 'X-Auth-Token', 'Token', 'Bearer'].map((other): Line => [other, token]),
    ['Cookie', `access_token=${token}; token=${token}`],
  ];
  const all = tokenSpellings(token, api.unknownToken);
  const spelled = api.breadth === 'whole' ? all : all.filter(({ isTelling }) => isTelling);
  return [
    ...spelled.map(
      ({ how, value, requirement, isFree = false }): Misspelt => ({
        how: `${name} with ${how}`,
        requirement,
        authorization: value,
        isFree,
        headers: usual,
        neighbours: [{ authorization: 'basic' }, { authorization: 'no-scheme' }, { validity: 'tampered' }],
      }),
    ),
    {
      how: `${name} under other names`,
      requirement: 'authorization.required',
      authorization: null,
      headers: [...usual, ...elsewhere],
      neighbours: [],
    },
  ];
}

interface Unit {
  readonly operation: Operation;
  readonly kind: string;
}

/** Sends each misspelt request between two accepted ones, and decides each requirement. */
async function decide(parent: CheckApi, unit: Unit, misspelt: readonly Misspelt[]): Promise<CheckResult[]> {
  const { operation, kind } = unit;
  const api = parent.fork();
  const planned = api.planned(operation.id, kind, {});
  if (!planned?.credential) return [];
  const { credential } = planned;
  // Accepted requests to a slow operation are few, so that the matrix has sent the control of those.
  const seen = operation.isSlow ? api.seen(planned) : undefined;
  const shows = `the documented request with the ${kind} token is accepted`;
  const ask = async () => seen ?? (await api.send(planned, shows)).answer;
  const before = await ask();
  const wrong = new Map<string, { readonly one: Misspelt; readonly answer: CheckAnswer }>();
  const open = new Map<Misspelt, string>();
  let lost: string | undefined;
  for (const one of before.accepted ? misspelt : []) {
    // If one request gets no answer after its retries, the others are not sent: each would take as long.
    if (lost !== undefined) break;
    const { how, headers, authorization, made, isFree, requirement, query } = one;
    const sent = made === undefined ? credential : api.derive(credential, made, how);
    const form = {
      ...(authorization !== undefined && { authorization }),
      ...(query !== undefined && { body: { ...operation.example, query } }),
    };
    const aim = isFree
      ? ({ shows: `${how} is left open`, wanted: 'either' } as const)
      : ({ shows: `${how} is refused`, wanted: 'refused' } as const);
    const answer = await api.call({ operation, credential: sent, headers, ...form, ...aim });
    const outcome = outcomeOf(answer);
    if (outcome.kind === 'lost') lost = outcome.why;
    const serves = query === undefined ? isServed(answer, before) : answer.accepted && showsMarker(answer, 'ACT_AS');
    const isAnother = query !== undefined && answer.accepted && !serves;
    if (isFree || isAnother) open.set(one, outcome.kind);
    else if (serves && !wrong.has(requirement)) wrong.set(requirement, { one, answer });
  }
  const after = before.accepted ? await ask() : before;
  const control = after.accepted ? await api.acceptance(before) : undefined;
  const judge = async (requirement: string): Promise<Decided> => {
    const found = wrong.get(requirement);
    if (found && control) {
      const neighbour = await acceptedNeighbour(api, unit, { like: before, misspelt: found.one });
      if (neighbour !== undefined) return observed(`${found.one.how} is accepted, like ${neighbour}`);
      return fail(found.answer, `${found.one.how} is accepted with the ${kind} token`);
    }
    if (lost !== undefined) return inconclusive(lost);
    const count = misspelt.filter((one) => one.requirement === requirement && !open.has(one)).length;
    const leftOpen = [...open].flatMap(([one, kind]) =>
      one.requirement === requirement ? [`${one.how}: ${kind}`] : [],
    );
    const left = leftOpen.length > 0 ? `; left open: ${leftOpen.join(', ')}` : '';
    const refused = count === 1 ? '1 other spelling is' : `${count} other spellings are`;
    return pass(control, `${refused} refused${left}`);
  };
  const results: CheckResult[] = [];
  for (const requirement of new Set(misspelt.map((one) => one.requirement)))
    results.push(decisionOn(api, { requirement, operation: operation.id, kind }, await judge(requirement)));
  return results;
}

async function acceptedNeighbour(
  api: CheckApi,
  { operation, kind }: Unit,
  { like, misspelt }: { readonly like: Answered; readonly misspelt: Misspelt },
): Promise<string | undefined> {
  // The form of Authorization is tried with few kinds, because it is read before the kind is known.
  const kindsFor = (values: Partial<Case['values']>) => ('authorization' in values ? api.claims.kinds : [kind]);
  const cases = misspelt.neighbours.flatMap((values) =>
    kindsFor(values).flatMap((name) => api.planned(operation.id, name, values) ?? []),
  );
  for (const planned of cases) {
    const sent = api.seen(planned) ?? (await api.send(planned, `${planned.id} is refused`)).answer;
    if (isServed(sent, like)) return planned.id;
  }
  return undefined;
}
