import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import leven from 'leven';
import { parse } from 'yaml';
import { scopes } from '../terms/operations.ts';
import { issuerAddress } from './ask-issuer.ts';
import type { Issuer } from './issuers.ts';

const text = { type: 'string', minLength: 1 };
const url = { type: 'string', format: 'issuer-address' };
/** Every property is required, unless they are named. */
const object = (properties: Record<string, object>, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const clients = object({ claim: text, allowed: { type: 'array', items: text, minItems: 1 } });

const row = {
  ...object(
    {
      name: text,
      issuer: url,
      tokens: {
        type: 'object',
        // The discriminator keeps the errors to those of one form.
        discriminator: { propertyName: 'form' },
        oneOf: [
          object({ form: { const: 'jwt' }, typ: text }, ['form']),
          object({ form: { const: 'opaque' }, tokeninfo: url }),
        ],
      },
      audience: text,
      clients,
      mcp: { ...object({ audience: text, clients }, []), minProperties: 1 },
      person: object({ by: { const: 'email' }, claim: text, in: { enum: ['claims', 'userinfo'] } }),
      scopes: object({ claim: text, names: object(Object.fromEntries(scopes.map((scope) => [scope, text])), []) }),
    },
    ['name', 'issuer', 'tokens', 'person', 'scopes'],
  ),
  // Without both, this service would accept a token that a person gave to any other application.
  anyOf: [{ required: ['audience'] }, { required: ['clients'] }],
};

const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  verbose: true,
  discriminator: true,
  // The schema is the one above. To validate it takes longer than to compile it.
  meta: false,
  validateSchema: false,
});
const validate = ajv
  .addFormat('issuer-address', (value) => issuerAddress(value) !== undefined)
  .compile<Omit<Issuer, 'family'>[]>({ type: 'array', items: row });

/** Reads the external identity providers (spec 5.3), a YAML or JSON list. @throws with one line for each problem and its place */
export function readIdentityProviders(path: string): Issuer[] {
  let rows: unknown;
  try {
    rows = parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`${path}: ${cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : cause}`, { cause });
  }
  if (validate(rows)) {
    const both = rows.findIndex(sameForMcp);
    if (both === -1) return rows.map((entry) => ({ ...entry, family: 'external' as const }));
    throw new Error(`${path}: /${both}/mcp must name another audience or other clients than the client API has`);
  }
  const problems = validate.errors?.map(({ instancePath, schemaPath, keyword, message, params, parentSchema }) => {
    if (/anyOf/.test(schemaPath)) return `${path}: ${instancePath} must have audience, clients or both`;
    if (keyword === 'format')
      return `${path}: ${instancePath} must be an https address; http is only allowed on this machine`;
    const unknown: unknown = params['additionalProperty'];
    const known = Object.keys(Object(parentSchema).properties ?? {});
    const problem = typeof unknown === 'string' ? `"${unknown}" is not known${suggestion(unknown, known)}` : message;
    return `${path}: ${instancePath || 'the file'} ${problem}`;
  });
  throw new Error([...new Set(problems)].join('\n'));
}

/** Whether a token could be good at the client API and at the remote MCP server. It must have one audience (RFC 8707). */
function sameForMcp({ audience, clients, mcp }: Pick<Issuer, 'audience' | 'clients' | 'mcp'>): boolean {
  if (!mcp) return false;
  if (mcp.audience !== undefined && audience !== undefined && mcp.audience !== audience) return false;
  const allowed = mcp.clients?.allowed ?? clients?.allowed ?? [];
  return allowed.length === 0 || clients === undefined || allowed.some((client) => clients.allowed.includes(client));
}

function suggestion(name: string, known: readonly string[]): string {
  const likely = known.find((other) => leven(name.toLowerCase(), other.toLowerCase()) <= 2);
  return likely === undefined ? `; wanted one of ${known.join(', ')}` : `; did you mean ${likely}?`;
}
