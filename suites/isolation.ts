import { type Check, type CheckApi, type CheckResult, isAnswer, showsMarker } from '../harness/check.ts';
import type { Credential } from '../harness/credentials.ts';
import { transportReason } from '../harness/observation.ts';
import type { Operation } from '../harness/operations.ts';
import { kindHeaders } from './kind-headers.ts';

/** A person whose private document a query finds; what is recorded of an answer says whose marker it shows. */
interface Person {
  readonly owner: Owner;
  readonly email: string;
  readonly query: string;
}
const OWNERS = ['ACT_AS', 'USER'] as const;
type Owner = (typeof OWNERS)[number];
const NEEDED = OWNERS.flatMap((owner) => [`${owner}_PRIVATE_QUERY`, `${owner}_PRIVATE_MARKER`, `${owner}_EMAIL`]);

/** Whose markers the answers to one token showed. */
interface Sight {
  readonly own: boolean;
  readonly other: boolean;
  readonly refused: boolean;
  /** Why nothing was seen, where no answer came or nothing was sent. */
  readonly lost: string | undefined;
  /** How an answer that found something differs from the documented one. */
  readonly misfit: string | undefined;
}

/** Only the owner of a private document sees its marker, whatever the token and whoever X-Service-ActAs names. */
export const isolation: Check = {
  id: 'isolation',
  title: "Everyone sees their own private marker and nobody else's",
  requirements: ['user.isolation', 'act-as.effective', 'act-as.no-escalation', 'global.accepted', 'search.response'],
  intrusive: false,
  async run(api) {
    const missing = NEEDED.find((name) => api.variable(name) === undefined);
    const results: CheckResult[] = [];
    for (const kind of api.claims.kinds)
      for (const operation of api.contract.operations.slice(0, 2)) {
        const credential = api.full(kind);
        if (missing !== undefined || !credential)
          results.push(...undecided(kind, operation, missing ?? `${kind}_TOKEN`));
        else if (kind === 'GLOBAL') results.push(...(await actingAs(api, operation, credential)));
        else results.push(...(await ofOneself(api, kind, operation, credential)));
      }
    return results;
  },
};

function undecided(kind: string, { id }: Operation, variable: string): CheckResult[] {
  const requirements = kind === 'GLOBAL' ? ['act-as.effective'] : ['user.isolation', 'act-as.no-escalation'];
  return requirements.map((requirement) => ({
    requirement,
    operation: id,
    kind,
    verdict: 'not-testable',
    detail: variable,
  }));
}

/** A GLOBAL token sees what each person may see whom it names: not another's data, and not the first one's for all. */
async function actingAs(api: CheckApi, operation: Operation, credential: Credential): Promise<CheckResult[]> {
  const looks: { own: Person; other: Person; sight: Sight }[] = [];
  for (const owner of OWNERS) {
    const [own, other] = people(api, owner);
    looks.push({ own, other, sight: await look(api, 'GLOBAL', operation, credential, own, other, own) });
  }
  const anyAccepted = looks.some(({ sight }) => !sight.refused);
  const decided = looks.map(({ own, other, sight }): CheckResult => {
    const unit = { operation: operation.id, kind: 'GLOBAL' };
    if (sight.lost !== undefined)
      return { ...unit, requirement: 'act-as.effective', verdict: 'inconclusive', detail: sight.lost };
    if (sight.refused)
      return anyAccepted
        ? {
            ...unit,
            requirement: 'global.accepted',
            verdict: 'fail',
            detail: `acting as ${own.owner}_EMAIL is refused, acting as ${other.owner}_EMAIL is not`,
          }
        : {
            ...unit,
            requirement: 'act-as.effective',
            verdict: 'inconclusive',
            detail: 'GLOBAL was refused, so nothing was seen',
          };
    if (sight.other) {
      const detail = `acting as ${own.owner}_EMAIL saw the private marker of ${other.owner}${sight.own ? ' as well' : " and not that person's own"}`;
      return { ...unit, requirement: 'act-as.effective', verdict: 'fail', detail };
    }
    return {
      ...unit,
      requirement: 'act-as.effective',
      ...verdictOnOwn(operation, sight, own, `acting as ${own.owner}_EMAIL`),
    };
  });
  return [...decided, ...looks.flatMap(({ sight }) => misfits(operation, 'GLOBAL', sight))];
}

/** The matrix searches for what nobody has; here something is found, and its form counts as well. */
function misfits({ id: operation }: Operation, kind: string, { misfit }: Sight): CheckResult[] {
  if (misfit === undefined) return [];
  const detail = `with something found, ${misfit}`;
  return [{ requirement: `${operation}.response`, operation, kind, verdict: 'fail', detail }];
}

/** A USER or OAuth token sees what its person may see, and X-Service-ActAs beside it adds nothing. */
async function ofOneself(
  api: CheckApi,
  kind: string,
  operation: Operation,
  credential: Credential,
): Promise<CheckResult[]> {
  const [own, other] = people(api, 'USER');
  const unit = { operation: operation.id, kind };
  const plain = await look(api, kind, operation, credential, own, other, undefined);
  const isolated: CheckResult = plain.lost
    ? { ...unit, requirement: 'user.isolation', verdict: 'inconclusive', detail: plain.lost }
    : plain.refused
      ? {
          ...unit,
          requirement: 'user.isolation',
          verdict: 'inconclusive',
          detail: `${kind} was refused, so nothing was seen`,
        }
      : plain.other
        ? {
            ...unit,
            requirement: 'user.isolation',
            verdict: 'fail',
            detail: `${kind} saw the private marker of ${other.owner}`,
          }
        : { ...unit, requirement: 'user.isolation', ...verdictOnOwn(operation, plain, own, kind) };
  const named = await look(api, kind, operation, credential, own, other, other);
  const lost = plain.lost ?? named.lost;
  if (lost !== undefined)
    return [isolated, { ...unit, requirement: 'act-as.no-escalation', verdict: 'inconclusive', detail: lost }];
  // What is seen without the header too is no escalation by the header. A refusal is as good as ignoring it.
  const escalated = (named.other && !plain.other) || (plain.own && !named.own && !named.refused);
  const detail = escalated
    ? `${kind} with ${api.contract.matrix.headers['act-as'].name} saw what ${other.owner}_EMAIL may see`
    : named.refused
      ? 'refused'
      : 'ran as its own person';
  return [
    isolated,
    { ...unit, requirement: 'act-as.no-escalation', verdict: escalated ? 'fail' : 'pass', detail },
    ...misfits(operation, kind, plain),
  ];
}

/** On chat a marker that is absent proves nothing: its success body is free (OUTCOMES 2). */
function verdictOnOwn(
  operation: Operation,
  { own }: Sight,
  person: Person,
  who: string,
): Pick<CheckResult, 'verdict' | 'detail'> {
  if (own) return { verdict: 'pass', detail: `${who} saw the marker of ${person.owner} and no other` };
  if (!operation.success.validate) return { verdict: 'observed', detail: 'no marker in any answer' };
  return {
    verdict: 'fail',
    detail: `${who} did not find the private marker of that person with ${person.owner}_PRIVATE_QUERY`,
  };
}

async function look(
  api: CheckApi,
  kind: string,
  operation: Operation,
  credential: Credential,
  own: Person,
  other: Person,
  named: Person | undefined,
): Promise<Sight> {
  const headers = kindHeaders(api, kind, named?.email);
  const ask = (query: string) => api.call({ operation, credential, headers, body: { ...operation.example, query } });
  const [foreign, mine] = [await ask(other.query), await ask(own.query)];
  return {
    own: showsMarker(mine, own.owner),
    other: showsMarker(mine, other.owner) || showsMarker(foreign, other.owner),
    refused: !foreign.accepted || !mine.accepted,
    lost: transportReason(foreign.observation) ?? transportReason(mine.observation),
    misfit: isAnswer(mine.observation) ? mine.observation.schemaErrors?.[0] : undefined,
  };
}

function people(api: CheckApi, runsAs: Owner): [own: Person, other: Person] {
  const read = (owner: Owner): Person => ({
    owner,
    email: api.variable(`${owner}_EMAIL`) ?? '',
    query: api.variable(`${owner}_PRIVATE_QUERY`) ?? '',
  });
  return runsAs === 'USER' ? [read('USER'), read('ACT_AS')] : [read('ACT_AS'), read('USER')];
}
