import { type DestinationStream, type Logger, pino } from 'pino';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * The service's log, one JSON object a line, on standard output unless told otherwise. No secret is handed to it; should a later line hand it
 * one under its usual name, it is masked.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const names = ['authorization', 'cookie', 'password', 'secret', 'access_token', 'refresh_token', 'code'];
  const redact = names.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ level, redact }, destination);
}
