import { expect, test } from 'vitest';
import { calling, has, variation } from '../../testing/engine.ts';
import { refusedAlone } from './not-served.ts';
import { acceptedWith } from './vary.ts';

const [a, b, c, d] = ['X-A', 'X-B', 'X-C', 'X-D'].map((name) => variation(name)) as [Header, Header, Header, Header];
type Header = ReturnType<typeof variation>;

/** What is said of variations that a target does not serve. */
async function told(reply: Parameters<typeof calling>[0], items: readonly Header[]): Promise<readonly string[]> {
  const { caller } = await calling(reply);
  const tried = await acceptedWith(
    caller,
    items.map((item) => [item]),
  );
  const results = await refusedAlone(caller, tried);
  for (const result of results)
    expect(result).toMatchObject({ requirement: 'search.success', operation: 'search', kind: 'USER' });
  return results.map(({ verdict, detail }) => `${verdict}: a request that is accepted otherwise ${said(detail)}`);
}
const said = (detail: string) => detail.replace('a request that is accepted otherwise ', '');

test('what is refused alone is observed', async () => {
  expect(await told((request) => (/X-[AB]/.test(request) ? 'refuses' : undefined), [a, b, c])).toEqual([
    'observed: a request that is accepted otherwise is refused with the header X-A: 1; or with the header X-B: 1',
  ]);
  expect(await told(() => undefined, [a])).toEqual([]);
});

test('an answer in another form is no refusal', async () => {
  expect(await told((request) => (has(request, 'X-A') ? 'table' : undefined), [a])).toEqual([
    'observed: a request that is accepted otherwise is answered in another form with the header X-A: 1',
  ]);
});

test('a server error gets a warning, if it comes each time', async () => {
  const warned = 'warn: a request that is accepted otherwise gets a server error with the header X-A: 1';
  expect(await told((request) => (has(request, 'X-A') ? 'fails' : undefined), [a, b])).toEqual([warned]);
  let times = 0;
  const once = (request: string) => (has(request, 'X-A') && ++times === 1 ? 'fails' : undefined);
  expect(await told(once, [a, b])).toEqual([]);
});

test('a target that fails at everything gets three warnings', async () => {
  const found = await told((request) => (has(request, 'X-') ? 'fails' : undefined), [a, b, c, d]);
  expect(found.map((one) => one.split(':')[0])).toEqual(['warn', 'warn', 'warn', 'observed']);
  expect(found.at(-1)).toBe(
    'observed: a request that is accepted otherwise gets a server error with the header X-D: 1',
  );
});

test('what the matrix sends, and another method or path, gets no warning', async () => {
  const [named, typed] = [variation('X-Service-ActAs'), variation('NONE', { kind: 'auth-type', values: [] })];
  const line = variation('blanks', { kind: 'authorization', values: ['Bearer  full-USER'] });
  const put = variation('PUT', { kind: 'method', values: [] });
  const packed = variation('br', { kind: 'transport', values: [] });
  const option = variation('pageSize', { kind: 'field', values: [0] });
  const text = variation('text/plain', { kind: 'content-type', values: ['json'] });
  for (const one of [named, typed, line, put, packed, text, option]) {
    let times = 0;
    const found = await told(() => (++times > 1 ? 'fails' : undefined), [one]);
    expect(found.filter((verdict) => verdict.startsWith('warn'))).toEqual([]);
  }
});
