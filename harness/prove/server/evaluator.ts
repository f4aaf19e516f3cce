// What a server with tokens answers, written from the contract as its author wrote it. It shares no code and no table with the
// rules, the expectation and the judge, so that a mistake there shows when this server is judged (biome.json forbids imports).

import { type Asked, type Facts, readFacts, type Server } from './facts.ts';

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A fault of the server: what it does otherwise, where the facts are these. */
export interface Fault {
  /** The id of a rule, or what else goes wrong. */
  readonly at: string;
  /** `skips`: what the rule refuses gets through, or the header is missing. A number is a wrong status. */
  readonly does: 'skips' | 'as owner' | 'as named' | 'as another' | number;
  readonly where?: Partial<Readonly<Record<keyof Facts, string>>>;
}

const LEFT_OPEN = 0;
/** The decisions of the server in their order, with the statuses that it answers if its contract names no other. */
const RULES: readonly (readonly [id: string, status: number, holds: (facts: Facts) => boolean])[] = [
  ['authorization.absent', 401, ({ form }) => form === 'absent'],
  ['authorization.malformed', 401, ({ form }) => form === 'empty' || form === 'no-scheme' || form === 'other-scheme'],
  ['token.unknown', 401, ({ state }) => state === 'unknown'],
  ['token.tampered', 401, ({ state }) => state === 'tampered'],
  ['token.foreign', 401, ({ state }) => state === 'foreign'],
  ['token.expired', 401, ({ state }) => state === 'expired'],
  ['act-as.missing', 400, ({ acts, named }) => acts === 'must' && named === 'nobody'],
  ['act-as.blank', 400, ({ acts, named }) => acts === 'must' && named === 'blank'],
  ['act-as.unknown', 400, ({ acts, named }) => acts !== 'never' && named === 'unknown'],
  ['act-as.malformed', 400, ({ acts, named }) => acts !== 'never' && named === 'malformed'],
  ['act-as.rights', 403, ({ acts, named, loses }) => acts !== 'never' && named === 'person' && loses !== 'nothing'],
  ['reach', 403, ({ reaches }) => reaches === 'nothing'],
  ['scope.missing', 403, ({ lacks }) => lacks !== ''],
  ['body.invalid', 400, ({ body }) => body === 'field'],
  ['body.option', 400, ({ body }) => body === 'option'],
  ['body.not-json', 400, ({ body }) => body === 'not-json'],
  ['body.content-type', 415, ({ body }) => body === 'other-type'],
  ['authorization.doubled', 400, ({ form }) => form === 'doubled'],
  ['act-as.doubled', 400, ({ named }) => named === 'doubled'],
  ['authorization.form', LEFT_OPEN, ({ form }) => form === 'loose'],
  ['act-as.left-blank', LEFT_OPEN, ({ acts, named }) => acts !== 'must' && named === 'blank'],
  ['act-as.not-needed', LEFT_OPEN, ({ acts, named }) => acts === 'never' && named !== 'nobody' && named !== 'blank'],
  ['accepted', LEFT_OPEN, () => true],
];

/** What the server answers. Pure. @param fault what it does wrong; absent for a faithful one. */
export function answerTo(server: Server, asked: Asked, fault?: Fault): Answered {
  const atPath = server.operations.filter(({ path }) => path === asked.path.split('?')[0]);
  const served = atPath.find(({ method }) => method === asked.method);
  const challenge = ('before' in server.credential && /^\S+(?= $)/.exec(server.credential.before)?.[0]) || 'Bearer';
  const hits = (at: string, facts?: Facts) =>
    fault?.at === at && Object.entries(fault.where ?? {}).every(([name, one]) => facts?.[name as keyof Facts] === one);
  const refused = (status: number, token = '') => ({
    status,
    headers: {
      'content-type': 'application/json',
      ...(status === 401 && !hits('challenge') && { 'www-authenticate': challenge }),
      ...(status === 405 && !hits('allow') && { allow: atPath.map(({ method }) => method).join(', ') }),
    },
    text: JSON.stringify({ error: status, ...(hits('echo') && { token }) }),
  });
  if (!served) return refused(atPath.length > 0 ? 405 : 404);
  const { facts, token, owner, named } = readFacts(
    server,
    served,
    asked,
    (['query', 'body', 'exact names'] as const).find((one) => hits(one)),
  );
  for (const [name, own, holds] of RULES) {
    if (!holds(facts)) continue;
    // Each operation has a rule of its own for that.
    const id = name === 'reach' ? `reach.${served.id}` : name;
    const does = hits(id, facts) ? fault?.does : undefined;
    const status = typeof does === 'number' ? does : (server.statuses[id] ?? own);
    if (does !== 'skips' && status >= 300) return refused(status, token);
  }
  const isOther = facts.acts !== 'never' && facts.named === 'person';
  const runsAs = hits('person', facts) ? fault?.does : isOther ? 'as named' : 'as owner';
  const another = server.people.find((person) => person !== owner) ?? '';
  const person = runsAs === 'as named' ? named : runsAs === 'as another' ? another : owner;
  const isShown = server.identity?.operation === served.id;
  const body = isShown ? withText(served.success.body, server.identity?.keys ?? [], person) : served.success.body;
  return {
    status: (hits('status', facts) ? served.success.unwanted : undefined) ?? served.success.status,
    headers: {
      'content-type': hits('type', facts) ? 'text/html' : 'application/json',
      'cache-control': hits('no-store') ? 'public, max-age=60' : 'no-store',
    },
    text: JSON.stringify(hits('misfit', facts) ? served.success.misfit : body),
  };
}

function withText(value: unknown, [key, ...keys]: readonly string[], text: string): unknown {
  if (key === undefined) return /^\d+$/.test(text) ? Number(text) : text;
  const inside = withText(Object(value)[key], keys, text);
  if (Array.isArray(value)) return Object.assign([...value], { [key]: inside });
  return { ...Object(value), [key]: inside };
}
