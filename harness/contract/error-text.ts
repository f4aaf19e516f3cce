/** The code of a system error, such as ENOENT; undefined if it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The code of a system error, for a message. The error's own text is not safe to show: it may quote a secret. */
export function errorCause(error: unknown): string {
  return errorCode(error) ?? 'unknown error';
}

/** What kind of error it is and where it was thrown, such as `SyntaxError at tampering.js:170:30`. It quotes no value. */
export function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  // The stack begins with the message, which may quote a secret.
  const frames = error.stack?.replace(error.message, '') ?? '';
  const place = /^ +at .*?([^/\\\s(]+:\d+:\d+)\)?$/m.exec(frames)?.[1];
  return `${error.constructor.name}${place ? ` at ${place}` : ''}`;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
