import type { Settings } from '../settings/settings.ts';
import { type Administer, readAdministrationAnswer } from './administration.ts';
import { commandOf } from './run-command.ts';

/** Administers tokens by running ADMINISTRATION_COMMAND for each request; undefined when there is none. */
export function administerByCommand(settings: Pick<Settings, 'catalogue' | 'variables'>): Administer | undefined {
  const command = commandOf(settings, 'ADMINISTRATION_COMMAND');
  return (
    command &&
    (async (request) => {
      const answer = await command.ask({ version: 1, ...request });
      return 'output' in answer ? readAdministrationAnswer(answer.output) : { kind: 'failed', why: answer.failed };
    })
  );
}
