import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import leven from 'leven';
import { parse } from 'yaml';
import { scopes } from '../terms/operations.ts';
import { issuerAddress } from './issuer-address.ts';
import type { Issuer } from './issuers.ts';

const text = { type: 'string', minLength: 1 };
const url = { type: 'string', format: 'issuer-address' };
const object = (properties: Record<string, object>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const row = {
  ...object(
    {
      name: text,
      issuer: url,
      tokens: {
        type: 'object',
        // By its form, so that one mistake is one line.
        discriminator: { propertyName: 'form' },
        oneOf: [
          object({ form: { const: 'jwt' }, typ: text }, ['form']),
          object({ form: { const: 'opaque' }, tokeninfo: url }, ['form', 'tokeninfo']),
        ],
      },
      audience: text,
      clients: object({ claim: text, allowed: { type: 'array', items: text, minItems: 1 } }, ['claim', 'allowed']),
      person: object({ by: { const: 'email' }, claim: text, in: { enum: ['claims', 'userinfo'] } }, [
        'by',
        'claim',
        'in',
      ]),
      scopes: object({ claim: text, names: object(Object.fromEntries(scopes.map((scope) => [scope, text])), []) }, [
        'claim',
        'names',
      ]),
    },
    ['name', 'issuer', 'tokens', 'person', 'scopes'],
  ),
  // Otherwise a token that its person gave to any other application would be good here as well.
  anyOf: [{ required: ['audience'] }, { required: ['clients'] }],
};

const validate = new Ajv2020({ allErrors: true, strict: false, verbose: true, discriminator: true })
  .addFormat('issuer-address', (value) => issuerAddress(value) !== undefined)
  .compile<Omit<Issuer, 'family'>[]>({ type: 'array', items: row });

/**
 * The external identity providers whose tokens are taken (spec 5.3), one entry each, as YAML or JSON.
 *
 * @throws with one line for each problem: the file, the place in it, what was wanted
 */
export function readIdentityProviders(path: string): Issuer[] {
  let rows: unknown;
  try {
    rows = parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`${path}: ${cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : cause}`, { cause });
  }
  if (validate(rows)) return rows.map((entry) => ({ ...entry, family: 'external' as const }));
  const problems = validate.errors?.map(({ instancePath, schemaPath, keyword, message, params, parentSchema }) => {
    if (/anyOf/.test(schemaPath)) return `${path}: ${instancePath} must have audience, clients or both`;
    if (keyword === 'format')
      return `${path}: ${instancePath} must be an https address; http is for this machine alone`;
    const unknown: unknown = params['additionalProperty'];
    const known = Object.keys(Object(parentSchema).properties ?? {});
    const said = typeof unknown === 'string' ? `"${unknown}" is not known${meant(unknown, known)}` : message;
    return `${path}: ${instancePath || 'the file'} ${said}`;
  });
  throw new Error([...new Set(problems)].join('\n'));
}

function meant(name: string, known: readonly string[]): string {
  const likely = known.find((other) => leven(name.toLowerCase(), other.toLowerCase()) <= 2);
  return likely === undefined ? `; wanted one of ${known.join(', ')}` : `; did you mean ${likely}?`;
}
