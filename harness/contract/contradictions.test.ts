import { describe, expect, test } from 'vitest';
import { bodyProblem, pointerProblem, valueProblem } from './contradictions.ts';

describe('a value in a path contradicts the document', () => {
  test.each([
    ['a word', { type: 'integer' }, 'is "demo", wanted a whole number'],
    ['a word', { type: 'string', enum: ['main', 'test'] }, 'is "demo", wanted one of main, test'],
    ['a word', { pattern: '^\\d+$' }, 'must match pattern "^\\d+$"'],
    ['a word', { type: 'string', format: 'uuid' }, 'must match format "uuid"'],
  ])('%s where it has %j', (_what, schema, said) => {
    expect(valueProblem({ name: 'project', schema }, 'demo')).toBe(`project ${said}`);
  });

  test.each([
    [7, { type: 'integer', format: 'int64' }],
    ['7', { type: 'integer', minimum: 1 }],
    [7, { type: 'string', pattern: '^\\d$' }],
    ['true', { type: 'boolean' }],
    ['demo', { type: ['string', 'null'], format: 'slug' }],
    ['demo', { pattern: '(?<a' }],
    ['demo', undefined],
  ])('but not %j where it has %j', (value, schema) => {
    expect(valueProblem({ name: 'project', ...(schema && { schema }) }, value)).toBeUndefined();
  });
});

describe('a body contradicts the document', () => {
  const schema = {
    type: 'object',
    required: ['text', 'id'],
    properties: { text: { type: 'string' }, limit: { type: 'integer' }, id: { type: 'integer', readOnly: true } },
  };

  test('in each of its fields', () => {
    expect(bodyProblem(schema, { limit: 'many' })).toBe(
      'body lacks "text"; body.limit is "many", wanted a whole number or nothing',
    );
  });

  test('but not without what only answers have, nor with more', () => {
    expect(bodyProblem(schema, { text: 'a', limit: null, more: true })).toBeUndefined();
  });
});

describe('the place of the identity contradicts the document', () => {
  const person = { type: 'object', properties: { login: { type: 'string' }, id: { type: 'integer' } } };
  const answer = { allOf: [{ properties: { user: { oneOf: [{ type: 'null' }, person] } } }, person] };
  const people = { type: 'object', properties: { people: { type: 'array', items: person } } };

  test.each([
    ['/logn', person, 'logn; did you mean login?'],
    ['/email', person, 'email; it has login, id'],
    ['/user/name', answer, 'name; it has login, id'],
    ['/people/0/lgin', people, 'lgin; did you mean login?'],
    ['/people/first', people, 'first'],
    ['/login/name', person, 'name: what stands there is string'],
  ])('at %s', (pointer, schema, said) => {
    expect(pointerProblem(schema, pointer)).toContain(`the document describes has no field ${said}`);
  });

  test.each([
    ['/user/login', answer],
    ['/id', answer],
    ['/people/0/login', people],
    ['/any', { type: 'object' }],
    ['/any', { ...person, additionalProperties: true }],
    ['/any', { oneOf: [person, {}] }],
    ['/any', undefined],
  ])('but not at %s of %j', (pointer, schema) => {
    expect(pointerProblem(schema, pointer)).toBeUndefined();
  });
});
