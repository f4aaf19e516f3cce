import { describe, expect, test } from 'vitest';
import type { Operation } from '../contract/openapi.ts';
import { accepted, answer, contract, reset, SEARCH_BODY } from '../testing/small-world.ts';
import {
  isAccepted,
  isAnswer,
  isServerError,
  isTokenRefusal,
  lossInWords,
  type Observer,
  observe,
  transportReason,
} from './observation.ts';
import { createRedactor } from './redact.ts';

const TOKEN = 'f3q8Zk1LmN0pR5sTuV7w';
const redactor = createRedactor();
redactor.add('USER_TOKEN', TOKEN);
const observer: Observer = { messages: contract.rules.messages, redactor, markers: [] };
const [search, chat] = contract.operations;

const see = (text: string, { operation = search, status = 200, truncated = false } = {}) =>
  observe(observer, { status, headers: {}, text, truncated }, operation);

test('a 2xx that is nested too deeply is not read to its end, and breaks no schema', () => {
  const seen = see(`{"results":[${'['.repeat(600)}${']'.repeat(600)}]}`);
  expect([seen.truncated, seen.schemaErrors]).toEqual([true, undefined]);
});

describe('the skeleton of a 2xx', () => {
  const skeleton = (body: unknown) => see(JSON.stringify(body)).skeleton;

  test.each<[unknown, string]>([
    [{ results: [1, 2] }, '{ results: array(2) }'],
    [{ results: 7, requestId: { a: 1 } }, '{ results: number, requestId: object }'],
    [{}, '{}'],
    [['a', 'b'], 'json of 9 characters'],
    ['text', 'json of 6 characters'],
    [null, 'json of 4 characters'],
    [7, 'json of 1 character'],
  ])('of %j is %s', (body, expected) => {
    expect(skeleton(body)).toBe(expected);
  });

  test('of a body that is empty says just that', () => {
    expect(see('').skeleton).toBe('empty');
  });

  test('has a mark that differs where other keys have other names or types, in any order', () => {
    const marks = [{ a: 1 }, { b: 1 }, { a: '1' }, { a: {} }, { a: [] }, { a: 1, b: 1 }].map(skeleton);
    expect(new Set(marks).size).toBe(marks.length);
    expect(skeleton({ a: 1, b: '1' })).toBe(skeleton({ b: '2', a: 3 }));
  });

  test('has the same mark in every run, so that reports can be compared', () => {
    expect(skeleton({ a: [], b: {} })).toBe('{ 2 undocumented (nhoy) }');
  });

  test('has a mark for a thousand other keys', () => {
    const keys = Array.from({ length: 1000 }, (_, at) => [`k${at}`, 1]);
    expect(skeleton(Object.fromEntries(keys))).toMatch(/^\{ 1000 undocumented \([a-z]{4}\) \}$/);
    expect(skeleton(Object.fromEntries(keys))).not.toContain('many');
  });

  test('names no key if no schema documents the body', () => {
    expect(see(SEARCH_BODY, { operation: chat }).skeleton).toMatch(/^\{ 3 undocumented \([a-z]{4}\) \}$/);
  });
});

test('the digest of a body is short', () => {
  expect(see(SEARCH_BODY).digest).toMatch(/^[\w-]{11}$/);
});

describe('a 2xx', () => {
  test('to a chat is recorded with the name of its conversation, and no other answer is', () => {
    const text = '{"chatId":"c-1"}';
    expect(see(text, { operation: chat }).conversation).toBe('c-1');
    const branched = '{"template":{"conversationId":"t-1"},"conversationId":"c-1"}';
    expect(see(branched, { operation: chat }).conversation).toBe('c-1');
    expect(see(text)).not.toHaveProperty('conversation');
    expect(see('{}', { operation: chat })).not.toHaveProperty('conversation');
    expect(see(text, { operation: chat, status: 403 })).not.toHaveProperty('conversation');
  });

  test('that is read to its end is not called truncated', () => {
    expect(see(SEARCH_BODY)).not.toHaveProperty('truncated');
  });

  test('that is truncated has no schema errors, because the rest may fit', () => {
    expect(see('{"results":[', { truncated: true })).toMatchObject({ truncated: true });
    expect(see('{"results":[', { truncated: true })).not.toHaveProperty('schemaErrors');
  });

  test('to a request that is not to an operation has a skeleton without names, and no schema errors', () => {
    const seen = observe(observer, { status: 200, headers: {}, text: SEARCH_BODY, truncated: false }, undefined);
    expect(seen.skeleton).toMatch(/^\{ 3 undocumented/);
    expect(seen).not.toHaveProperty('schemaErrors');
  });
});

describe('the schema errors of a 2xx', () => {
  /** A search whose schema finds these errors in every body. */
  const finding = (...errors: readonly { instancePath: string; message?: string }[]): Operation => {
    if (!search?.success.validate) throw new Error('no schema describes the results of a search');
    const validate = Object.assign(() => false, search.success.validate, { errors });
    return { ...search, success: { ...search.success, validate: validate as never } };
  };
  const errorsOf = (operation: Operation) => see('{}', { operation }).schemaErrors;

  test('contain no secret of a key on the way to a value', () => {
    const operation = finding({ instancePath: `/${TOKEN}`, message: 'must be string' });
    expect(errorsOf(operation)).toEqual(['/<USER_TOKEN> must be string']);
  });

  test('say of a value that it is invalid if the schema does not say why', () => {
    expect(errorsOf(finding({ instancePath: '/results' }))).toEqual(['/results is invalid']);
  });

  test('are at most twenty', () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ instancePath: `/results/${at}`, message: 'is wrong' }));
    expect(errorsOf(finding(...many))).toHaveLength(20);
  });
});

test.each([
  [200, true],
  [201, true],
  [299, true],
  [199, false],
  [300, false],
  [302, false],
  [401, false],
  [500, false],
])('status %d is accepted: %s', (status, expected) => {
  expect(isAccepted(answer(status))).toBe(expected);
});

test('a missing answer is no answer, is not accepted, and is a transport outcome', () => {
  expect([isAnswer(reset), isAccepted(reset)]).toEqual([false, false]);
  expect(transportReason(reset)).toBe(reset.detail);
});

test('a refusal is an answer too, and no transport outcome', () => {
  for (const observation of [accepted, answer(401)])
    expect([isAnswer(observation), transportReason(observation)]).toEqual([true, undefined]);
});

test.each([
  [[408, 425, 429, 502, 503, 504, 520, 522, 529], true],
  [[200, 301, 400, 401, 403, 404, 405, 413, 422, 500, 501, 505, 519, 530], false],
])('statuses %j are transport outcomes: %s', (statuses, expected) => {
  for (const status of statuses)
    expect([status, transportReason(answer(status))]).toEqual([status, expected ? `status ${status}` : undefined]);
});

test('a status from 500 to 599 is a server error, but 501 and 505 are not (RFC 9110 15.6.2 and 15.6.6)', () => {
  expect([500, 502, 503, 599].filter(isServerError)).toEqual([500, 502, 503, 599]);
  expect([200, 404, 499, 501, 505, 600].filter(isServerError)).toEqual([]);
});

test.each([
  [[400, 401, 403], true],
  [[200, 302, 404, 422, 500], false],
])('statuses %j refuse a bad token: %s', (statuses, expected) => {
  for (const status of statuses) expect([status, isTokenRefusal(answer(status))]).toEqual([status, expected]);
  expect(isTokenRefusal(reset)).toBe(false);
});

test('a loss in words says what closes connections, of a reset alone', () => {
  const firewall = 'reset (ECONNRESET): something closes the connection, such as a firewall in front of the target';
  expect(lossInWords(reset)).toBe(firewall);
  expect(lossInWords({ ...reset, failure: 'timeout', detail: 'no answer' })).toBe('no answer');
  expect([lossInWords(answer(503)), lossInWords(accepted)]).toEqual(['status 503', '']);
});

test('a list that a 2xx leaves out is recorded, and nothing where there is one', () => {
  expect(see('{"trackingToken":"t","requestId":"r"}').leftOut).toEqual(['results']);
  expect(see(SEARCH_BODY)).not.toHaveProperty('leftOut');
});

test('an own key that is called like one of every object counts as undocumented, and an inherited one as none', () => {
  expect(see('{"results":[],"toString":1}').skeleton).toMatch(
    /^\{ results: array\(0\), 1 undocumented \([a-z]{4}\) \}$/,
  );
});

describe('the token that was sent', () => {
  const sent = (token: string, text: string) =>
    observe(observer, { status: 401, headers: {}, text, truncated: false }, search, { variable: 'USER_TOKEN', token });

  test('is recorded where an answer repeats it, and is no marker', () => {
    const seen = sent(TOKEN, `no: ${TOKEN}`);
    expect(seen).toMatchObject({ repeatsToken: true, places: [{ variable: 'USER_TOKEN' }] });
    expect(seen).not.toHaveProperty('markers');
    expect(sent(TOKEN, 'no')).not.toHaveProperty('repeatsToken');
  });

  test('may be an ordinary word if it has fewer than eight characters', () => {
    expect(sent('refused', 'It was refused.')).not.toHaveProperty('repeatsToken');
    expect(sent('rejected', 'It was rejected.')).toMatchObject({ repeatsToken: true });
  });
});

test('a 401 without a body says in its challenge why, and no other answer does (RFC 6750 3)', () => {
  const [[id, { text } = { text: '' }] = []] = Object.entries(contract.rules.messages);
  const headers = { 'www-authenticate': `Bearer error_description="${text}"` };
  const whole = (status: number, body: string) =>
    observe(observer, { status, headers, text: body, truncated: false }, search).whole;
  expect(whole(401, '')).toEqual([id]);
  expect([whole(400, ''), whole(401, 'no')]).toEqual([[], []]);
});
