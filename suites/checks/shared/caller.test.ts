import { describe, expect, test } from 'vitest';
import type { CheckAnswer } from '../../../harness/checks/check.ts';
import { answer } from '../../../harness/testing/small-world.ts';
import { acceptance, calling, engine, has, search, variation } from '../../testing/engine.ts';
import { type Caller, callerOf, sendAccepted, serves } from './caller.ts';
import type { Person } from './private-documents.ts';
import { acceptedWith, staysHidden, staysRefused } from './vary.ts';

const stranger: Person = { owner: 'ACT_AS', email: 'mei@people.example', query: 'what Mei wrote' };

describe('a caller', () => {
  test('has the acceptance of its documented request, which is not sent again if the matrix did', async () => {
    const { caller, aims } = await calling(() => undefined);
    expect(caller.control).toEqual(acceptance(1));
    expect(aims).toEqual(['either: the documented request with the USER token is accepted']);
    const like = { ...caller.like, seq: 7 };
    const known = engine(() => 'refuses', { seen: () => like });
    expect(await callerOf(known.api, { operation: search, kind: 'USER' })).toMatchObject({ control: { seq: 7 }, like });
    expect(known.sent).toEqual([]);
  });

  test('needs a token', async () => {
    const { api } = engine(() => 'accepts', { planned: () => undefined });
    expect(await callerOf(api, { operation: search, kind: 'USER' })).toBeUndefined();
  });
});

describe('an answer without a body of data', () => {
  const [head, put] = ['HEAD', 'PUT'].map((name) => variation(name, { kind: 'method', values: ['body'] }));
  const named = variation('HEAD');
  const bare: CheckAnswer = {
    ...{ observation: { ...answer(200), contentType: 'application/json' }, seq: 2, step: undefined },
    ...{ accepted: true, text: '', headers: {}, operation: undefined },
  };

  test.each([
    ['HEAD where the operation is a GET', 'GET', [named, head], true],
    ['HEAD where the operation is a POST', 'POST', [head], false],
    ['another method', 'GET', [put], false],
    ['a header of that name', 'GET', [named], false],
  ])('serves %s, or does not', async (_what, method, items, isServed) => {
    const operation = { ...search, method };
    const { caller } = await calling(() => undefined, { operation });
    expect(
      serves(
        caller,
        items.filter((one) => one !== undefined),
        bare,
      ),
    ).toBe(isServed);
  });
});

describe('a caller of another protocol', () => {
  const says = (text: string) => ({ says: text });
  const speaking = async (reply: Parameters<typeof calling>[0]) => {
    const { caller, sent } = await calling((request) => reply(request) ?? says('a result'), { stranger });
    const message = { fields: { tool: 'search' }, around: (fields: object) => ({ params: fields }) };
    const own: Caller = {
      ...{ ...caller, base: { ...caller.base, message } },
      protocol: { serves: ({ text }) => text === 'a result', whyLost: () => undefined, isolation: 'mcp.isolation' },
    };
    return { own, sent };
  };
  const field = variation('admin', { kind: 'field', values: [true] });
  const path = variation('/other', { kind: 'path', values: ['/other'] });

  test('has its fields inside a message, with the query that finds the document of a stranger', async () => {
    const { own, sent } = await speaking(() => undefined);
    await sendAccepted(own, [field]);
    expect(sent.at(-1)).toContain('{"params":{"tool":"search","query":"what Mei wrote","admin":true}}');
  });

  test('is served by what the protocol calls a result', async () => {
    const { own } = await speaking((request) => (has(request, 'admin') ? says('an error') : undefined));
    expect(await acceptedWith(own, [[field]])).toMatchObject({ groups: [], alone: [field] });
  });

  test('hides a document by a requirement of its own', async () => {
    const { own } = await speaking(() => undefined);
    const hidden = await staysHidden(own, await acceptedWith(own, [[field]]));
    expect(hidden).toMatchObject([{ verdict: 'pass', requirement: 'mcp.isolation' }]);
    const { own: open } = await speaking((request) => (has(request, 'admin') ? 'shows' : undefined));
    const shown = await staysHidden(open, await acceptedWith(open, [[field]]));
    expect(shown).toMatchObject([{ verdict: 'fail', requirement: 'mcp.isolation' }]);
  });

  test('has done what was asked where it got a result, also on another path', async () => {
    const refused = { ...{ requirement: 'mcp.token', kind: 'USER', what: 'no token' }, credential: undefined };
    const { own } = await speaking((request) =>
      has(request, 'full-USER') || has(request, '/other') ? undefined : 'refuses',
    );
    const base = { ...refused, authorization: null, headers: [] };
    expect(await staysRefused(own, base, { groups: [], refused: [path] })).toMatchObject({ verdict: 'fail' });
  });
});
