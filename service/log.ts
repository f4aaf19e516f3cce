import { type DestinationStream, type Logger, pino } from 'pino';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Matches our token secrets, JWTs and the credentials after an authentication scheme, anywhere in a line. */
const secretForms = /svc_[\w-]{20,}|eyJ[\w-]+\.[\w-]+\.[\w-]*|\b(?:bearer|basic) +[^\s"\\]+/gi;

/**
 * Creates the log, with one JSON object per line. The code passes no secrets to it. If a mistake or an error message of a
 * library contains one, it is masked by its field name and by its form.
 *
 * @param destination standard output if absent
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const names = ['authorization', 'cookie', 'password', 'secret', 'access_token', 'refresh_token', 'code'];
  const redact = names.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  const hooks = { streamWrite: (line: string) => line.replace(secretForms, '[Redacted]') };
  return pino({ level, redact, hooks }, destination);
}
