import { expect, test } from 'vitest';
import { bearer, chatPath, searchPath, workbench } from './app.test.setup.ts';
import { createLog } from './log.ts';

test('the log names every answer and never a secret', async () => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  const { secret, send } = await workbench({ log });
  const token = await secret({ scopes: ['SEARCH'] });
  await send(`${searchPath}?access_token=swordfish`, bearer(token));
  await send(chatPath, bearer(token));
  await send(chatPath, bearer('some-unknown-token'));
  await send(searchPath, bearer(token), '{"query": swordfish');
  log.info({ headers: { authorization: 'swordfish' }, password: 'swordfish' }, 'a slip');

  const records = lines.map((line) => JSON.parse(line));
  expect(records.filter(({ msg }) => msg === 'answered').map(({ status }) => status)).toEqual([200, 403, 401, 400]);
  for (const word of [token, token.slice(4), 'some-unknown-token', 'swordfish'])
    expect(lines.join()).not.toContain(word);
});
