import { isConfigurationError } from '../contract/configuration-error.ts';

/** What a configuration error says that something throws. */
export function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (isConfigurationError(error)) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}
