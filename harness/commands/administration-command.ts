import type { Contract } from '../contract/contract.ts';
import type { Settings } from '../settings/settings.ts';
import { type Administer, readAdministrationAnswer } from './administration.ts';
import { ask, type Command, withoutSecrets } from './run-command.ts';

/** Administers tokens by running ADMINISTRATION_COMMAND for each request; undefined when there is none. */
export function administerByCommand(
  contract: Contract,
  { variables }: Pick<Settings, 'variables'>,
): Administer | undefined {
  const name = 'ADMINISTRATION_COMMAND';
  const line = variables.get(name)?.value;
  if (line === undefined) return undefined;
  const command: Command = { name, line, environment: withoutSecrets(contract) };
  return async (request) => {
    const answer = await ask(command, { version: 1, ...request });
    return 'output' in answer ? readAdministrationAnswer(answer.output) : { kind: 'failed', why: answer.failed };
  };
}
