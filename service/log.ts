import { type DestinationStream, type Logger, pino } from 'pino';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What a secret of ours, a JWT, and whatever follows an authentication scheme look like, wherever in a line they stand. */
const secretForms = /svc_[\w-]{20,}|eyJ[\w-]+\.[\w-]+\.[\w-]*|\b(?:bearer|basic) +[^\s"\\]+/gi;

/**
 * The service's log, one JSON object a line, on standard output unless told otherwise. No secret is handed to it; should a
 * later line hand it one, or a library put one into its error text, it is masked by its name and by its form.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const names = ['authorization', 'cookie', 'password', 'secret', 'access_token', 'refresh_token', 'code'];
  const redact = names.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  const hooks = { streamWrite: (line: string) => line.replace(secretForms, '[Redacted]') };
  return pino({ level, redact, hooks }, destination);
}
