import { describe, expect, test } from 'vitest';
import { operationOf } from '../contract/contract.ts';
import { contract } from '../testing/small-world.ts';
import { misfitOf } from './schema-errors.ts';

const { validate } = operationOf(contract, 'search').success;
const right = { results: [], trackingToken: 't', requestId: 'r' };

describe('the body of a search', () => {
  test.each<[what: string, json: unknown, errors: readonly (string | RegExp)[], leftOut: readonly string[]]>([
    ['fits', right, [], []],
    ['may leave a list out', { ...right, results: undefined, trackingToken: 't' }, [], ['results']],
    ['leaves out no text', { results: [], requestId: 'r' }, [/trackingToken/], []],
    ['leaves out a list and a text', { requestId: 'r' }, [/trackingToken/], ['results']],
    ['has no list of another type', { ...right, results: null }, ['/results must be array'], []],
    ['is JSON', undefined, ['the body is not JSON'], []],
    ['is an object', [], ['the body must be object'], []],
  ])('%s', (_what, json, errors, leftOut) => {
    const parsed: unknown = json === undefined ? undefined : JSON.parse(JSON.stringify(json));
    const found = validate && misfitOf(validate, parsed);
    expect(found?.leftOut).toEqual(leftOut);
    expect(found?.errors).toEqual(
      errors.map((error) => (typeof error === 'string' ? error : expect.stringMatching(error))),
    );
  });
});
