import { describe, expect, test } from 'vitest';
import type { VariationRow } from '../../harness/contract/variations.ts';
import { bundlesOf, variationsOf } from './variation.ts';

const ROW = { kind: 'header', about: 'a test', source: 'rfc-9110', telling: 0, values: ['1'] } as const;
const all = [
  { ...ROW, name: 'X-A' },
  { ...ROW, name: 'x-a', values: ['2'] },
  { ...ROW, name: 'X-B', with: { 'User-Agent': 'one' } },
  { ...ROW, name: 'User-Agent', values: ['another'] },
].flatMap((row) => variationsOf(row, {}));

test('a bundle has each header once, also one that belongs to another', () => {
  const names = bundlesOf(all).map((bundle) => bundle.map(({ name, value }) => `${name}: ${value}`));
  expect(names).toEqual([
    ['X-A: 1', 'X-B: 1'],
    ['x-a: 2', 'User-Agent: another'],
  ]);
});

/** The variations of a row of this kind. */
const of = (row: Partial<VariationRow>) => variationsOf({ ...ROW, name: 'X', ...row }, {});
const LONG = 'a'.repeat(61);

describe('a variation in words', () => {
  test.each<[Partial<VariationRow>, string]>([
    [{ values: ['1'] }, 'the header X: 1'],
    [{ values: [LONG.slice(1)] }, `the header X: ${LONG.slice(1)}`],
    [{ values: [LONG] }, 'the header X of 61 characters'],
    [{ kind: 'auth-type', name: 'NONE', values: [] }, 'the auth type "NONE"'],
    [{ kind: 'auth-type', name: LONG, values: [] }, 'the auth type of 61 characters'],
    [{ kind: 'auth-type', name: LONG.slice(1), values: [] }, `the auth type "${LONG.slice(1)}"`],
    [{ kind: 'cookie', values: ['1'] }, 'the cookie X=1'],
    [{ kind: 'cookie', values: [LONG] }, 'the cookie X of 61 characters'],
    [{ kind: 'cookie', values: [LONG.slice(1)] }, `the cookie X=${LONG.slice(1)}`],
    [{ kind: 'parameter', values: ['1'] }, 'the parameter X=1'],
    [{ kind: 'parameter', values: [LONG] }, 'the parameter X of 61 characters'],
    [{ kind: 'parameter', values: [LONG.slice(1)] }, `the parameter X=${LONG.slice(1)}`],
    [{ kind: 'field', values: [{ a: 1 }] }, 'the body field X'],
    [{ kind: 'content-type', name: 'text/plain', values: ['json'] }, 'the content type text/plain'],
    [{ kind: 'content-type', name: '', values: ['json'] }, 'the content type left out'],
    [{ kind: 'content-type', values: ['form'] }, 'a body that is a form'],
    [{ kind: 'transport', name: 'gzip', values: [] }, 'a compressed body'],
    [{ kind: 'transport', name: 'chunked', values: [] }, 'a body in chunks'],
    [{ kind: 'transport', name: 'new-connection', values: [] }, 'a new connection'],
    [{ kind: 'transport', name: 'headers-reversed', values: [] }, 'header lines in another order'],
    [{ kind: 'transport', name: 'header-names-mixed-case', values: [] }, 'header names in another case'],
    [{ kind: 'transport', name: 'blanks-around-values', values: [] }, 'blanks around header values'],
    [{ kind: 'transport', name: 'body-with-blanks', values: [] }, 'extra whitespace in the body'],
    [{ kind: 'transport', name: 'body-in-array', values: [] }, 'body in array'],
    [{ kind: 'place', in: 'header' }, 'the token in the header X'],
    [{ kind: 'place', in: 'cookie' }, 'the token in the cookie X'],
    [{ kind: 'place', in: 'parameter' }, 'the token in the parameter X'],
    [{ kind: 'place', in: 'field' }, 'the token in the body field X'],
    [{ kind: 'place', in: 'form' }, 'the token in the field of a form X'],
    [{ kind: 'person', name: 'a list' }, 'a list'],
    [{ kind: 'acting', name: 'two lines', values: [['a', 'b']] }, 'two lines'],
    [{ kind: 'method', name: 'PUT' }, 'PUT'],
  ])('%j: %s', (row, how) => {
    expect(of(row).map((one) => one.how)).toEqual([how]);
  });

  test.each([
    ['field', 'the body field X with the token'],
    ['parameter', 'the token in the query string too'],
  ] as const)('a %s with the token says so and does not show it', (kind, how) => {
    // It is filled when the request is written.
    const values = ['{token}'];
    const [one] = variationsOf({ ...ROW, name: 'X', kind, values }, { token: '{token}' });
    expect(one?.how).toBe(how);
  });
});

describe('a variation', () => {
  test('is telling for the first values of its row', () => {
    expect(of({ values: ['1', '2', '3'], telling: 2 }).map(({ isTelling }) => isTelling)).toEqual([true, true, false]);
  });

  test('without values is one', () => {
    expect(of({ kind: 'transport', name: 'gzip', values: [] }).map(({ value }) => value)).toEqual(['']);
  });

  test.each<[Partial<VariationRow>, boolean]>([
    [{}, false],
    [{ elsewhere: true }, true],
    [{ kind: 'method' }, true],
    [{ kind: 'path' }, true],
    [{ kind: 'query' }, false],
  ])('%j may lead elsewhere: %j', (row, leads) => {
    expect(of(row).map(({ leadsElsewhere }) => leadsElsewhere)).toEqual([leads]);
  });

  test.each<[Partial<VariationRow>, boolean]>([
    [{}, false],
    [{ raw: true }, true],
    [{ kind: 'transport', values: [] }, true],
  ])('%j is written by hand: %j', (row, isRaw) => {
    expect(of(row).map((one) => one.isRaw)).toEqual([isRaw]);
  });

  test.each<[Partial<VariationRow>, boolean]>([
    [{}, false],
    [{ alone: true }, true],
    ...(['method', 'path', 'query', 'person', 'acting', 'name'] as const).map(
      (kind): [Partial<VariationRow>, boolean] => [{ kind }, true],
    ),
    ...(['cookie', 'parameter', 'field', 'transport', 'authorization', 'auth-type', 'place'] as const).map(
      (kind): [Partial<VariationRow>, boolean] => [{ kind }, false],
    ),
    [{ kind: 'content-type', name: 'application/json; charset=x' }, false],
    [{ kind: 'content-type', name: 'application/jsonp' }, true],
    [{ kind: 'content-type', name: 'text/application/json' }, true],
    [{ kind: 'content-type', name: '' }, false],
  ])('%j is sent alone: %j', (row, isAlone) => {
    expect(of(row).map((one) => one.isAlone)).toEqual([isAlone]);
  });

  test('has what its row says of it, and what stands beside it', () => {
    const row = { equal: true, free: true, breaks: 'token.unknown', in: 'cookie', with: { A: 'to {person}' } } as const;
    const [one] = variationsOf({ ...ROW, kind: 'place', name: 'X', ...row }, { person: 'a@b.test' });
    expect(one).toMatchObject({ isEqual: true, isFree: true, breaks: 'token.unknown', place: 'cookie' });
    expect(one?.lines).toEqual([['A', 'to a@b.test']]);
    expect(of({})).toMatchObject([{ isEqual: false, isFree: false, breaks: undefined, place: undefined, lines: [] }]);
  });

  test('is left out if its name or a line beside it has a placeholder that is not known', () => {
    expect(of({ name: 'X-{person}' })).toEqual([]);
    expect(of({ with: { A: '1', B: '{person}' } })).toEqual([]);
  });

  test('has an id of its own, whatever its placeholders stand for', () => {
    const ids = (person: string) =>
      variationsOf({ ...ROW, name: 'X', values: ['{person}', '2'] }, { person }).map(({ id }) => id);
    expect(ids('a')).toEqual(ids('b'));
    expect(new Set([...ids('a'), ...of({ kind: 'cookie' }).map(({ id }) => id)]).size).toBe(3);
  });
});

describe('a bundle', () => {
  const bundled = (rows: readonly Partial<VariationRow>[]) =>
    bundlesOf(rows.flatMap((row) => of(row))).map((bundle) => bundle.map(({ name }) => name).join(' '));

  test('has a variation once, though two rows name it', () => {
    expect(bundled([{ name: 'A' }, { name: 'A' }])).toEqual(['A']);
  });

  test('has a token once in each place', () => {
    const kind = 'place';
    expect(
      bundled([
        { kind, in: 'field' },
        { kind, in: 'form' },
        { kind, in: 'form' },
      ]),
    ).toEqual(['X', 'X']);
  });

  test.each(['transport', 'content-type', 'auth-type', 'authorization'] as const)('has one %s', (kind) => {
    const name = (at: number) => (kind === 'content-type' ? `application/json; a=${at}` : `n${at}`);
    expect(
      bundled([
        { kind, name: name(1) },
        { kind, name: name(2) },
      ]),
    ).toHaveLength(2);
  });

  test('has one way to write the header lines, beside one to carry the body', () => {
    const kind = 'transport';
    const lines = ['header-names-lower-case', 'headers-reversed', 'header-lines-twice', 'blanks-around-values'];
    expect(bundled([{ kind, name: 'gzip' }, ...lines.map((name) => ({ kind, name }) as const)])).toEqual([
      'gzip header-names-lower-case',
      ...lines.slice(1),
    ]);
  });

  test('has a header and a cookie of one name', () => {
    expect(bundled([{ name: 'A' }, { kind: 'cookie', name: 'A' }])).toEqual(['A A']);
  });

  test('is followed by what is sent alone', () => {
    expect(bundled([{ kind: 'method', name: 'PUT' }, { name: 'A' }, { name: 'B' }])).toEqual(['A B', 'PUT']);
  });

  test.each<[string, Partial<VariationRow>, number]>([
    ['headers', {}, 7_000],
    ['parameters', { kind: 'parameter' }, 3_000],
    ['fields', { kind: 'field' }, 100_000],
  ])('has no more %s than servers accept', (_what, row, most) => {
    // Each counts its name of one character, and four more.
    const values = (length: number) => ['A', 'B'].map((name) => ({ ...row, name, values: ['a'.repeat(length)] }));
    expect(bundled(values(most / 2 - 5))).toHaveLength(1);
    expect(bundled(values(most / 2 - 4))).toHaveLength(2);
  });

  test('has at most seventy header lines', () => {
    const rows = Array.from({ length: 71 }, (_, at) => ({ name: `X${at}` }));
    expect(bundled(rows.slice(1))).toHaveLength(1);
    expect(bundled(rows)).toHaveLength(2);
  });

  test('counts a value that is no text as its JSON', () => {
    const field = (name: string) => ({ kind: 'field' as const, name, values: [['a'.repeat(49_992)]] });
    expect(bundled([field('A'), field('B')])).toHaveLength(2);
  });
});
