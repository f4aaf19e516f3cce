import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type AssertedRequest, withWrongExpectations } from './peer-files.ts';
import { peers } from './peers.ts';

const accepted: AssertedRequest = {
  id: 'search/USER/valid',
  operation: 'search',
  method: 'POST',
  url: 'http://127.0.0.1:1/search',
  headers: { Authorization: 'Bearer a#b', 'Content-Type': 'application/json' },
  body: '{"query":"a \\"b\\""}',
  status: 200,
  message: undefined,
};
const refused: AssertedRequest = { ...accepted, id: 'search/USER/expired', status: 401, message: 'It "expired"' };
const notJson: AssertedRequest = { ...refused, id: 'chat/USER/valid/not-json', operation: 'chat', body: '{"query":' };
const requests = [accepted, refused, notJson];

const filesOf = (name: string) => peers.find(({ program }) => program === name)?.files(requests) ?? {};

describe('the file of', () => {
  test('Step CI has a test for each operation and a step for each request', () => {
    const { tests } = parse(filesOf('stepci')['workflow.yml'] ?? '');
    expect(Object.keys(tests)).toEqual(['search', 'chat']);
    expect(tests.search.steps.map(({ http }: { http: unknown }) => http)).toMatchObject([
      { method: 'POST', headers: accepted.headers, body: accepted.body, check: { status: 200 } },
      { check: { status: 401, jsonpath: { '$.message': 'It "expired"' } } },
    ]);
    expect(tests.search.steps[0].http.check).not.toHaveProperty('jsonpath');
  });

  test('Bruno has both assertions, and says which body is JSON', () => {
    const { '0.bru': first = '', '1.bru': second = '', '2.bru': third = '' } = filesOf('bru');
    expect(first).toContain('assert {\n  res.status: eq 200\n}');
    expect(second).toContain('assert {\n  res.status: eq 401\n  res.body.message: eq It "expired"\n}');
    expect(second).toContain(`body:json {\n  ${refused.body}\n}`);
    expect(third).toContain('body:text {\n  {"query":\n}');
  });

  test('Hurl escapes what would be a comment or end a text', () => {
    expect(filesOf('hurl')['search.hurl']?.split('\n\n')[1]?.split('\n')).toEqual([
      'POST http://127.0.0.1:1/search',
      'Authorization: Bearer a\\#b',
      'Content-Type: application/json',
      '`{"query":"a \\\\"b\\\\""}`',
      'HTTP 401',
      '[Asserts]',
      'jsonpath "$.message" == "It \\"expired\\""',
    ]);
  });

  test('Dredd has a schema with the one message, because it compares types otherwise', () => {
    const { 'api.apib': text = '' } = filesOf('dredd');
    expect(text.match(/^\+ Response \d+/gm)).toEqual(['+ Response 200', '+ Response 401', '+ Response 401']);
    expect(text.match(/"enum":\["It \\"expired\\""\]/g)).toHaveLength(2);
  });

  test('Newman has one assertion of both for each request', () => {
    const { item } = JSON.parse(filesOf('newman')['collection.json'] ?? '');
    const [first, second] = item[0].item.map(({ event }: { event: [{ script: { exec: string[] } }] }) =>
      event[0].script.exec.slice(1, -1).map((line) => line.trim()),
    );
    expect(first).toEqual(['pm.response.to.have.status(200);']);
    expect(second).toEqual([
      'pm.response.to.have.status(401);',
      'pm.expect(pm.response.json().message).to.eql("It \\"expired\\"");',
    ]);
  });

  test('supertest has the requests of an operation as a table', () => {
    const { 'search.json': table = '', 'chat.json': other = '' } = filesOf('vitest');
    expect(JSON.parse(table)).toEqual([accepted, refused]);
    expect(JSON.parse(other)).toEqual([notJson]);
  });
});

test('a status is wrong at the first request, and a message at the last refusal', () => {
  expect(withWrongExpectations([accepted, refused, accepted])).toEqual([
    { ...accepted, status: 418 },
    { ...refused, message: 'It "expired", not' },
    accepted,
  ]);
});

// What each version printed for six requests of which two had a wrong expectation, and for two without one.
test.each([
  ['stepci', 'Tests: 1 failed, 0 passed, 1 total\nSteps: 2 failed, 0 skipped, 4 passed, 6 total', 4],
  ['stepci', 'Tests: 0 failed, 2 passed, 2 total\nSteps: 0 failed, 0 skipped, 2 passed, 2 total', 2],
  ['bru', '│ Requests      │ 6 (4 Passed, 2 Failed) │\n│ Assertions    │          9/11          │', 4],
  ['bru', '│ Requests      │ 2 (2 Passed) │', 2],
  ['dredd', 'complete: 4 passing, 2 failing, 0 errors, 0 skipped, 6 total', 4],
  ['newman', '│            test-scripts │ 6 │ 0 │\n├───┼───┤\n│              assertions │ 6 │ 2 │', 4],
  ['vitest', ' Test Files  1 failed (1)\n      Tests  2 failed | 4 passed (6)', 4],
  ['vitest', ' Test Files  1 passed (1)\n      Tests  2 passed (2)', 2],
  ['hurl', 'error: Assert status code\n...\nerror: Assert failure\n...\nExecuted requests: 6 (545.5/s)', 4],
  ['hurl', 'Executed requests: 2 (545.5/s)', 2],
])('of what %s prints, the verified requests are counted', (name, printed, verified) => {
  expect(peers.find(({ program }) => program === name)?.verified(printed)).toBe(verified);
});

test.each(peers)('$name that printed nothing has verified nothing', ({ verified }) => expect(verified('')).toBe(0));
