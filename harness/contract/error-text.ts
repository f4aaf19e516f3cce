/** The code of a system error, such as ENOENT; undefined if it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The code of a system error, for a message. The error's own text is not safe to show: it may quote a secret. */
export function errorCause(error: unknown): string {
  return errorCode(error) ?? 'unknown error';
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
