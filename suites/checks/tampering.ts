import type { Answered } from '../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult, CheckRun } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { signedWithPublicKey } from './authorization-server/public-keys.ts';
import { onePerFamily } from './shared/breadth.ts';
import { decideEach, decisionOn, inconclusive, observed, observedRefusal } from './shared/decision.ts';
import { stays } from './shared/stays.ts';
import { alteredFrom, type Made, madeOf } from './shared/token-recipes.ts';

/** What every recipe makes of a token is another one. */
export const tampering: CheckRun = async (api) => {
  const own = await signedWithPublicKey(api);
  const make =
    (breadth: CheckApi['breadth']): Make =>
    (planned) => [
      ...madeOf({ ...api, breadth }, { ...planned, kind: planned.values.kind }),
      ...(planned.values.kind === 'OAUTH' ? own : []),
    ];
  // The matrix changes a character in the middle, too.
  const isSent = (made: Made, tampered: PlannedCase) =>
    made.token === tampered.credential?.token && api.seen(tampered) !== undefined;
  const [first, ...others] = api.contract.operations;
  const results = await tamper(api, first, api.claims.kinds, (planned, tampered) =>
    make(api.breadth)(planned, tampered).filter((made) => !isSent(made, tampered)),
  );
  if (api.breadth !== 'whole') return results;
  // Another part of the service may answer another operation, and read tokens by itself.
  const elsewhere = (one: Operation) => tamper(api, one, onePerFamily(api, 'last'), make('telling'));
  return [...results, ...(await decideEach(others, elsewhere))];
};

/** A token with any one character altered is another one. */
export const alteration: CheckRun = (api) =>
  tamper(api, api.contract.operations[0], api.claims.kinds, ({ credential }) =>
    alteredFrom(credential?.token ?? '', api.seed),
  );

type Make = (planned: PlannedCase, tampered: PlannedCase) => readonly Made[];

/** Sends each tampered token right after an accepted request with the original, on the same connection. */
async function tamper(
  api: CheckApi,
  operation: Operation,
  kinds: readonly string[],
  make: Make,
): Promise<readonly CheckResult[]> {
  return decideEach(kinds, async (kind) => {
    const planned = api.planned(operation.id, kind, {});
    const tampered = api.planned(operation.id, kind, { validity: 'tampered' });
    const original = planned?.credential;
    if (!original) return [];
    const unit = { requirement: 'token.tampered', operation: planned.values.operation, kind };
    if (!tampered) return [decisionOn(api, unit, inconclusive('the plan has no tampered token of this kind'))];
    const connection = api.connect();
    const tried: { readonly made: Made; readonly result: CheckResult }[] = [];
    // The redactor reads all texts anew after a new secret, so it gets the tokens of a kind together.
    const derived = make(planned, tampered).map((made) => {
      // A token of TOKEN_COMMAND is in no variable, so no shell expression can alter it.
      const shell = original.source === 'variable' ? made.shell?.(original.variable) : undefined;
      return { made, credential: api.derive(original, made.token, made.how, shell) };
    });
    for (const { made, credential } of derived) {
      const how = `with ${made.how}`;
      const own = connection.fork();
      let accepted: Answered | undefined;
      const ask = async () => {
        const { answer } = await own.send(planned, 'the original token is accepted');
        accepted = answer;
        // The refusal of the tampered token would prove nothing, so it is not sent.
        if (!answer.accepted) return { answer, judgement: undefined };
        const shows = `a token ${how} is ${made.isFree ? 'left open' : 'refused with 401'}`;
        return own.send({ ...tampered, credential }, shows);
      };
      const found = await stays({ api: own, planned: tampered, how, ask, beside: () => accepted });
      tried.push(...found.map((result) => ({ made, result })));
    }
    // A change of case or of hyphens is left open, unless another change is accepted too (outcomes 2).
    const isOpen = !tried.some(({ made, result }) => !made.isFree && isAccepted(result));
    return tried.map(({ made, result }) => (made.isFree && isOpen ? leftOpen(result, made) : result));
  });
}

const isAccepted = (result: CheckResult): boolean => result.verdict === 'fail' && result.broke?.accepted === true;

function leftOpen(result: CheckResult, { how }: Made): CheckResult {
  const { requirement, operation, kind, steps } = result;
  const unit = { requirement, operation, kind, steps };
  if (isAccepted(result)) return { ...unit, ...observed(`a token with ${how} is accepted`) };
  if (result.verdict !== 'pass') return result;
  return { ...unit, ...observedRefusal(result.acceptance, `a token with ${how} is refused`) };
}
