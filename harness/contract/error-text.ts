/** The code of a system error, such as ENOENT; undefined where it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The same for a message: an error's own text may quote what was read or sent. */
export function errorCause(error: unknown): string {
  return errorCode(error) ?? 'unknown error';
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
