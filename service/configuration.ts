import leven from 'leven';
import { type LogLevel, logLevels } from './log.ts';

/** Settings from the environment. For an absent field the caller chooses the default. */
export interface Configuration {
  readonly database?: string;
  readonly databaseKey?: string;
  readonly keyRotationDays?: number;
  readonly logLevel?: LogLevel;
  readonly requestsPerMinute?: number;
  readonly publicUrl?: string;
  readonly authorizationServerPublicUrl?: string;
  /** Path of the file that lists the external identity providers. */
  readonly identityProviderFile?: string;
  /** Whether the id of a client may be the address of its metadata. */
  readonly clientIdMetadataDocuments?: boolean;
}

export type ReadConfiguration =
  | { readonly ok: true; readonly configuration: Configuration }
  /** One line each. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** In characters. A shorter key can be guessed from a copy of the database. */
const minKeyLength = 16;

/** Each variable with a description of its valid values and a parser. The parser returns undefined for an invalid value. */
const variables: Readonly<
  Record<string, readonly [wanted: string, read: (value: string) => Configuration | undefined]>
> = {
  DATABASE_URL: [
    '"file:<path>" or ":memory:"',
    (value) => (value === ':memory:' || /^file:./.test(value) ? { database: value } : undefined),
  ],
  DATABASE_KEY: [
    `at least ${minKeyLength} characters, such as the output of "openssl rand -base64 32"`,
    (value) => (value.length >= minKeyLength ? { databaseKey: value } : undefined),
  ],
  KEY_ROTATION_DAYS: [
    'a whole number of days from 1 to 3650',
    (value) => (/^[1-9]\d{0,3}$/.test(value) && Number(value) <= 3650 ? { keyRotationDays: Number(value) } : undefined),
  ],
  LOG_LEVEL: [
    `one of ${logLevels.join(', ')}`,
    (value) => {
      const logLevel = logLevels.find((level) => level === value);
      return logLevel && { logLevel };
    },
  ],
  RATE_LIMIT: [
    'a whole number of requests per minute and token, at least 1',
    (value) => (/^[1-9]\d{0,8}$/.test(value) ? { requestsPerMinute: Number(value) } : undefined),
  ],
  PUBLIC_URL: [
    'the address of the client API for its clients, like https://api.example.com, without a path',
    (value) => (isOrigin(value) ? { publicUrl: value } : undefined),
  ],
  AUTHORIZATION_SERVER_URL: [
    'the address of the authorization server for browsers, like https://login.example.com, without a path',
    (value) => (isOrigin(value) ? { authorizationServerPublicUrl: value } : undefined),
  ],
  CLIENT_ID_METADATA_DOCUMENTS: [
    '"on" or "off"',
    (value) => (/^(on|off)$/.test(value) ? { clientIdMetadataDocuments: value === 'on' } : undefined),
  ],
  IDENTITY_PROVIDERS: [
    'the path of a file that lists the identity providers',
    (value) => (value === '' ? undefined : { identityProviderFile: value }),
  ],
};

/** Reads the service's variables. An unknown one is a problem only if it looks like ours: others belong to other programs. */
export function readConfiguration(environment: Readonly<Record<string, string | undefined>>): ReadConfiguration {
  const problems = Object.keys(environment).flatMap((name) => {
    const suggestion = suggestionFor(name);
    return suggestion === undefined ? [] : [`the environment sets ${name}; did you mean ${suggestion}?`];
  });
  let configuration: Configuration = {};
  for (const [name, [wanted, read]] of Object.entries(variables)) {
    const value = environment[name];
    if (value === undefined) continue;
    const part = read(value);
    if (part) configuration = { ...configuration, ...part };
    else
      problems.push(`${name} is ${mayHoldPassword(name, value) ? notShown : JSON.stringify(value)}, wanted ${wanted}`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, configuration };
}

/** Database URLs have passwords in many places. Other URLs have them before an `@`. */
function mayHoldPassword(name: string, value: string): boolean {
  return name === 'DATABASE_URL' || name === 'DATABASE_KEY' || value.includes('@');
}
const notShown = 'invalid (not shown, because it may contain a secret)';

/** Finds our variable that differs from this name in letter case or in at most two characters. */
function suggestionFor(name: string): string | undefined {
  if (name in variables) return undefined;
  return Object.keys(variables).find((known) => leven(name.toUpperCase(), known) <= 2);
}

/** The service appends paths to these addresses, so they must have none. */
function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value;
}
