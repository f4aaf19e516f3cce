import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { loosened } from './loosened-schema.ts';
import type { Schema } from './openapi-document.ts';

/** Whether what is left of a schema takes a value. Strict, but for types, as the contract compiles it. */
function takes(schema: Schema, value: unknown): boolean {
  return new Ajv2020({ strict: true, strictTypes: false }).compile(loosened(schema))(value);
}

describe('a schema of a document that somebody wrote', () => {
  const cat = { type: 'object', required: ['lives'], properties: { lives: { type: 'integer' } } };
  const dog = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

  test('takes one of its alternatives, and null only where the schema around it is a field', () => {
    const pet = { type: 'object', oneOf: [cat, dog] };
    expect([takes(pet, { lives: 9 }), takes(pet, { name: null }), takes(pet, {}), takes(pet, null)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const owner = { type: 'object', properties: { pet } };
    expect([takes(owner, { pet: null }), takes(owner, { pet: {} })]).toEqual([true, false]);
  });

  test('does not take everything because one alternative is null', () => {
    const perhaps = { type: 'object', required: ['pet'], properties: { pet: { oneOf: [{ type: 'null' }, cat] } } };
    expect([takes(perhaps, { pet: null }), takes(perhaps, { pet: { lives: 9 } }), takes(perhaps, { pet: {} })]).toEqual(
      [true, true, false],
    );
  });

  test('may leave out a type that the schema beside it has', () => {
    const named = { allOf: [cat, { required: ['name'], properties: { name: { type: 'string' } } }] };
    expect([takes(named, { lives: 9, name: 'Mia' }), takes(named, { lives: 9 })]).toEqual([true, false]);
  });

  test('may leave out what only requests have, and not what only answers have', () => {
    const id = { type: 'integer' };
    const made = (more: Schema) => ({ type: 'object', required: ['id'], properties: { id: { ...id, ...more } } });
    expect([takes(made({ writeOnly: true }), {}), takes(made({ readOnly: true }), {})]).toEqual([true, false]);
  });

  test('may hold itself in many places, and then is read less deep', () => {
    const unit: Schema = { type: 'object', required: ['0'], properties: {} };
    for (let at = 0; at < 40; at += 1) unit.properties = { ...unit.properties, [at]: { anyOf: [unit, unit] } };
    expect([takes(unit, { 0: { 0: null } }), takes(unit, { 0: {} }), takes(unit, {})]).toEqual([true, false, false]);
  });
});
