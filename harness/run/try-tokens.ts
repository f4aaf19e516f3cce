import { type Contract, operationOf } from '../contract/contract.ts';
import { fullTokens } from '../plan/full-tokens.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { isAccepted, isTokenRefusal } from '../record/observation.ts';
import type { Sender } from '../send/sender.ts';

export interface TokenTrial {
  readonly contract: Contract;
  /** The requests that must be accepted. */
  readonly acceptances: readonly PlannedCase[];
  readonly sender: Pick<Sender, 'send'>;
}

/**
 * Sends one request with each full token, because a wrong token is the commonest mistake.
 * @returns why the run ends: every full token was refused on every operation. Undefined if one may be good.
 */
export async function tryTokens(trial: TokenTrial): Promise<string | undefined> {
  const tokens = fullTokens(trial.acceptances);
  const refused: string[] = [];
  for (const { credential, requests } of tokens) {
    const status = await refusalOf(trial, requests);
    if (status !== undefined) refused.push(`${credential.recipe} (${status})`);
  }
  if (tokens.length === 0 || refused.length < tokens.length) return undefined;
  return `every full token was refused: ${refused.join(', ')}. Check the tokens, and that they belong to this target`;
}

/** The status with which all of these requests are refused. Undefined if one gets another answer, or none. */
async function refusalOf({ contract, sender }: TokenTrial, requests: readonly PlannedCase[]) {
  const costOf = ({ values }: PlannedCase) => Number(operationOf(contract, values.operation).isSlow);
  let status: number | undefined;
  for (const planned of [...requests].sort((a, b) => costOf(a) - costOf(b))) {
    const observation = (await sender.send(planned, 'preflight'))?.observation;
    if (observation?.kind !== 'answer' || isAccepted(observation)) return undefined;
    // Any other answer is left to the matrix.
    if (!isTokenRefusal(observation)) return undefined;
    status ??= observation.status;
  }
  return status;
}
