import leven from 'leven';
import { type LogLevel, logLevels } from './log.ts';

/** What the environment says of how the service runs. Absent: the default of whoever starts it. */
export interface Configuration {
  readonly database?: string;
  readonly logLevel?: LogLevel;
  readonly requestsPerMinute?: number;
  readonly publicUrl?: string;
  readonly authorizationServerPublicUrl?: string;
  /** The file that lists them. */
  readonly identityProviderFile?: string;
}

export type ReadConfiguration =
  | { readonly ok: true; readonly configuration: Configuration }
  /** One line each. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Each variable, what is wanted of it, and what it sets; undefined when it is not that. */
const variables: Readonly<
  Record<string, readonly [wanted: string, read: (value: string) => Configuration | undefined]>
> = {
  DATABASE_URL: [
    '"file:<path>" or ":memory:"',
    (value) => (value === ':memory:' || /^file:./.test(value) ? { database: value } : undefined),
  ],
  LOG_LEVEL: [
    `one of ${logLevels.join(', ')}`,
    (value) => {
      const logLevel = logLevels.find((level) => level === value);
      return logLevel && { logLevel };
    },
  ],
  RATE_LIMIT: [
    'a whole number of requests a minute for each token, at least 1',
    (value) => (/^[1-9]\d{0,8}$/.test(value) ? { requestsPerMinute: Number(value) } : undefined),
  ],
  PUBLIC_URL: [
    'where clients reach the client API, like https://api.example.com, without a path',
    (value) => (isOrigin(value) ? { publicUrl: value } : undefined),
  ],
  AUTHORIZATION_SERVER_URL: [
    'where browsers reach the authorization server, like https://login.example.com, without a path',
    (value) => (isOrigin(value) ? { authorizationServerPublicUrl: value } : undefined),
  ],
  IDENTITY_PROVIDERS: [
    'the path of a file that lists them',
    (value) => (value === '' ? undefined : { identityProviderFile: value }),
  ],
};

/** Reads the variables of the service, and refuses the slip of one: the environment holds those of others as well. */
export function readConfiguration(environment: Readonly<Record<string, string | undefined>>): ReadConfiguration {
  const problems = Object.keys(environment).flatMap((name) => {
    const meant = meantBy(name);
    return meant === undefined ? [] : [`the environment sets ${name}; did you mean ${meant}?`];
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

/** The address of a database does in many a form, any other one before an @. */
function mayHoldPassword(name: string, value: string): boolean {
  return name === 'DATABASE_URL' || value.includes('@');
}
const notShown = 'something else (not shown, it may hold a password)';

/** The variable of ours that another one is a slip of: its letters in another case, or at most two of them wrong. */
function meantBy(name: string): string | undefined {
  if (name in variables) return undefined;
  return Object.keys(variables).find((known) => leven(name.toUpperCase(), known) <= 2);
}

/** Metadata, redirects and audiences are built by appending to it. */
function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value;
}
