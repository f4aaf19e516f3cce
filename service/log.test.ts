import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { bearer, chatPath, searchPath, testApp } from './testing/app.ts';

function logInMemory() {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  return { log, lines, records: () => lines.map((line) => JSON.parse(line)) };
}

test('the log has a line for every answer and contains no secret', async () => {
  const { log, lines, records } = logInMemory();
  const { secret, send } = await testApp({ log });
  const token = await secret({ scopes: ['SEARCH'] });
  await send(`${searchPath}?access_token=swordfish`, bearer(token));
  await send(chatPath, bearer(token));
  await send(chatPath, bearer('some-unknown-token'));
  await send(searchPath, bearer(token), '{"query": swordfish');
  log.info({ headers: { authorization: 'swordfish' }, password: 'swordfish' }, 'a mistake');

  const answered = records().filter(({ msg }) => msg === 'answered');
  expect(answered.map(({ status }) => status)).toEqual([200, 403, 401, 400]);
  for (const word of [token, token.slice(4), 'some-unknown-token', 'swordfish'])
    expect(lines.join()).not.toContain(word);
});

test('a line has the requestId of the answer, the token and the person', async () => {
  const { log, records } = logInMemory();
  const { store, bob, secret, send } = await testApp({ log });
  const token = await secret({ permission: 'GLOBAL' });
  const { json } = await send(searchPath, [...bearer(token), 'X-Service-ActAs', bob.email]);
  const refused = await send(searchPath, bearer('unknown-token'));

  const [first, ...rest] = records();
  expect(first).toMatchObject({
    msg: 'answered',
    requestId: json.requestId,
    token: (await store.serviceTokens.find(token))?.id,
    person: bob.id,
    path: searchPath,
    status: 200,
  });
  const { requestId } = refused.json;
  expect(rest).toMatchObject([
    { msg: 'refused', requestId, reason: 'invalid-secret' },
    { msg: 'answered', requestId, status: 401 },
  ]);
});

test.each([
  ['a token secret', `svc_${'Aa1-'.repeat(10)}_zZ`],
  ['a JWT', `eyJhbGciOiJub25lIn0.${'QUFB'.repeat(9)}.`],
  ['a header', 'Bearer swordfish'],
  ['a header in another case', 'bearer  swordfish'],
])('%s in an error message is masked, and the text around it is kept', (_what, text) => {
  const { log, lines, records } = logInMemory();
  log.error({ err: new Error(`"${text}" is an invalid header value`) }, 'failed');
  expect(records()[0].err.message).toBe('"[Redacted]" is an invalid header value');
  expect(lines.join()).not.toContain(text.slice(-12));
});
