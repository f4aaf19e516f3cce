import type { Check, CheckApi, CheckResult } from '../harness/check.ts';
import type { Credential } from '../harness/credentials.ts';
import type { Operation } from '../harness/operations.ts';

/** A person whose private document a query finds; the markers tell whose data an answer shows. */
interface Private {
  readonly owner: 'ACT_AS' | 'USER';
  readonly email: string;
  readonly query: string;
  readonly marker: string;
}
const OWNERS = ['ACT_AS', 'USER'] as const;
const NEEDED = OWNERS.flatMap((owner) => [`${owner}_PRIVATE_QUERY`, `${owner}_PRIVATE_MARKER`]);

/** Who a request of a kind runs as, what decides it, and whether X-Service-ActAs names the other person all the while. */
interface Subject {
  readonly kind: string;
  readonly requirement: string;
  readonly runsAs: Private['owner'];
  readonly names: Private['owner'] | undefined;
}

/** Only the owner of a private document sees its marker, whatever the token and whoever X-Service-ActAs names. */
export const isolation: Check = {
  id: 'isolation',
  title: "Everyone sees their own private marker and nobody else's",
  requirements: ['user.isolation', 'oauth.isolation', 'act-as.effective', 'act-as.no-escalation'],
  intrusive: false,
  async run(api) {
    const missing = [...NEEDED, ...OWNERS.map((owner) => `${owner}_EMAIL`)].find(
      (name) => api.variable(name) === undefined,
    );
    const results: CheckResult[] = [];
    for (const subject of subjectsOf(api))
      for (const operation of api.contract.operations.slice(0, 2)) {
        if (missing !== undefined)
          results.push({ ...unitOf(subject, operation), verdict: 'not-testable', detail: missing });
        else results.push(await decide(api, subject, operation, api.full(subject.kind)));
      }
    return results;
  },
};

function subjectsOf({ claims, contract }: CheckApi): Subject[] {
  return claims.kinds.flatMap((kind): Subject[] => {
    if (kind === 'GLOBAL')
      return OWNERS.map((owner) => ({ kind, requirement: 'act-as.effective', runsAs: owner, names: owner }));
    const own = contract.matrix.kinds[kind]?.family === 'service' ? 'user.isolation' : 'oauth.isolation';
    return [
      { kind, requirement: own, runsAs: 'USER', names: undefined },
      { kind, requirement: 'act-as.no-escalation', runsAs: 'USER', names: 'ACT_AS' },
    ];
  });
}

function unitOf({ kind, requirement }: Subject, { id }: Operation) {
  return { requirement, operation: id, kind };
}

async function decide(
  api: CheckApi,
  subject: Subject,
  operation: Operation,
  credential: Credential | undefined,
): Promise<CheckResult> {
  const unit = unitOf(subject, operation);
  if (!credential) return { ...unit, verdict: 'not-testable', detail: `${subject.kind}_TOKEN` };
  const [own, other] = people(api, subject.runsAs);
  const named = subject.names === undefined ? undefined : [own, other].find(({ owner }) => owner === subject.names);
  const ask = (query: string) =>
    api.call({
      operation,
      credential,
      headers: headersFor(api, subject.kind, named),
      body: { ...operation.example, query },
    });
  const foreign = await ask(other.query);
  if (`${foreign.text}${JSON.stringify(foreign.headers)}`.includes(other.marker))
    return {
      ...unit,
      verdict: 'fail',
      detail: `${subject.kind} running as the person of ${own.owner}_EMAIL got the private marker of ${other.owner}${named && named !== own ? `, whom ${api.contract.matrix.headers['act-as'].name} names` : ''}`,
    };
  const mine = await ask(own.query);
  const refused = [foreign, mine].find(({ accepted }) => !accepted);
  // With a header that is not needed a refusal is as good as ignoring it: nothing leaked.
  if (refused)
    return subject.requirement === 'act-as.no-escalation'
      ? { ...unit, verdict: 'pass', detail: 'refused' }
      : { ...unit, verdict: 'inconclusive', detail: `${subject.kind} was refused, so nothing was seen` };
  if (mine.text.includes(own.marker))
    return { ...unit, verdict: 'pass', detail: `saw the marker of ${own.owner} and not that of ${other.owner}` };
  // The success body of chat is free: a marker that is absent there proves nothing (OUTCOMES 2).
  if (!operation.success.validate) return { ...unit, verdict: 'observed', detail: 'no marker in either answer' };
  return {
    ...unit,
    verdict: 'fail',
    detail: `${subject.kind} running as the person of ${own.owner}_EMAIL did not find the private marker of that person with ${own.owner}_PRIVATE_QUERY`,
  };
}

function people(api: CheckApi, runsAs: Private['owner']): [own: Private, other: Private] {
  const read = (owner: Private['owner']): Private => ({
    owner,
    email: api.variable(`${owner}_EMAIL`) ?? '',
    query: api.variable(`${owner}_PRIVATE_QUERY`) ?? '',
    marker: api.variable(`${owner}_PRIVATE_MARKER`) ?? '',
  });
  return runsAs === 'USER' ? [read('USER'), read('ACT_AS')] : [read('ACT_AS'), read('USER')];
}

function headersFor({ contract }: CheckApi, kind: string, named: Private | undefined): [string, string][] {
  const { headers, kinds } = contract.matrix;
  const authType = headers['auth-type'].lines[kinds[kind]?.neutral['auth-type'] ?? 'absent'] ?? [];
  return [
    ...authType.map((line): [string, string] => [headers['auth-type'].name, line]),
    ...(named ? [[headers['act-as'].name, named.email] as [string, string]] : []),
  ];
}
