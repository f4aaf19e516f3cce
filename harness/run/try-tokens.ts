import { type Contract, operationOf, ownContractOf } from '../contract/contract.ts';
import { fullTokens, type PlannedCase } from '../plan/plan.ts';
import { type Answer, isAccepted, isTokenRefusal } from '../record/observation.ts';
import type { Sender } from '../send/sender.ts';
import { GATEWAY_HINT, isNotFound, noAnswer, type PreflightProblem, wrong } from './preflight.ts';

interface TokenTrial {
  readonly contract: Contract;
  /** The requests that must be accepted. */
  readonly acceptances: readonly PlannedCase[];
  readonly sender: Pick<Sender, 'send'>;
}

/**
 * Sends one request with each full token, because a wrong token is the commonest mistake. Who looks at the token first hides a
 * wrong address from requests without one.
 * @returns why the run ends: every full token was refused, or found nothing, on every operation. Undefined if one may be good.
 */
export async function tryTokens(trial: TokenTrial): Promise<PreflightProblem | undefined> {
  const tokens = fullTokens(trial.acceptances);
  const refused: string[] = [];
  const refusals: Answer[] = [];
  for (const { credential, requests } of tokens) {
    const refusal = await refusalOf(trial, requests);
    if (!refusal) continue;
    refusals.push(refusal);
    refused.push(`${credential.recipe} (${refusal.status})`);
  }
  if (tokens.length === 0 || refused.length < tokens.length) return undefined;
  if (refusals.every(isNotFound)) {
    const paths = ownContractOf(trial.contract) === undefined ? '' : ', or the paths of the contract';
    return wrong(
      `every full token gets 404 on every operation: ${refused.join(', ')}. Correct the path prefix of TARGET_BASE_URL${paths}`,
    );
  }
  if (refusals.some(isNotFound)) return undefined;
  return noAnswer(
    `every full token was refused: ${refused.join(', ')}. Check the tokens, and that they belong to this target${whoseIs(refusals)}`,
  );
}

/** What to say of refusals that a missing header may explain: a page, 400 or 403 to everything, or one that speaks of a key. */
function whoseIs(refusals: readonly Answer[]): string {
  if (refusals.some(({ form }) => form === 'markup'))
    return `. The answer looks like a page of a gateway. ${GATEWAY_HINT}`;
  const may = refusals.every(({ status, excerpt = '' }) => [400, 403].includes(status) || SPEAKS_OF_KEY.test(excerpt));
  return may ? `. ${GATEWAY_HINT}` : '';
}
const SPEAKS_OF_KEY = /api[ _-]?key|subscription key/i;

/** The refusal of the first of these requests, if all are refused alike. Undefined if one gets another answer, or none. */
async function refusalOf(
  { contract, sender }: TokenTrial,
  requests: readonly PlannedCase[],
): Promise<Answer | undefined> {
  const costOf = ({ values }: PlannedCase) => Number(operationOf(contract, values.operation).isSlow);
  let refusal: Answer | undefined;
  for (const planned of [...requests].sort((a, b) => costOf(a) - costOf(b))) {
    const observation = (await sender.send(planned, 'preflight'))?.observation;
    if (observation?.kind !== 'answer' || isAccepted(observation)) return undefined;
    // Any other answer is left to the matrix.
    if (!isTokenRefusal(observation) && !isNotFound(observation)) return undefined;
    refusal ??= observation;
    if (isNotFound(refusal) !== isNotFound(observation)) return undefined;
  }
  return refusal;
}
