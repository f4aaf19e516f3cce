const CONFIGURATION_ERROR = 'ConfigurationError';

/** An error of whoever runs the suite (wrong variable, wrong data file); a run ends with exit code 2. */
export function configurationError(problems: string | readonly string[]): Error {
  const lines = typeof problems === 'string' ? [problems] : problems;
  const error = new Error(lines.join('\n'));
  error.name = CONFIGURATION_ERROR;
  return error;
}

export function isConfigurationError(error: unknown): error is Error {
  return error instanceof Error && error.name === CONFIGURATION_ERROR;
}
