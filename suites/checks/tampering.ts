import type { CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { type CaseConfirmation, confirmCase } from './shared/confirm.ts';
import {
  blame,
  type Decided,
  decideEach,
  decisionOn,
  fail,
  inconclusive,
  observed,
  observedRefusal,
  pass,
} from './shared/decision.ts';
import { type Made, madeFrom } from './shared/token-recipes.ts';

/** Sends each tampered token right after an accepted request with the original, on the same connection. */
export async function tampering(api: CheckApi): Promise<readonly CheckResult[]> {
  const [operation] = api.contract.operations;
  return decideEach(operation ? api.claims.kinds : [], async (kind) => {
    const planned = operation && api.planned(operation.id, kind, {});
    return planned?.credential ? tryRecipes(api, planned, planned.credential.token) : [];
  });
}

/** One token that a recipe made, and what came of it. */
interface Tried {
  readonly api: CheckApi;
  readonly made: Made;
  readonly original: CheckAnswer | undefined;
  readonly found: CaseConfirmation;
}

async function tryRecipes(api: CheckApi, planned: PlannedCase, token: string): Promise<readonly CheckResult[]> {
  const { kind, operation } = planned.values;
  const { credential } = planned;
  const tampered = api.planned(operation, kind, { validity: 'tampered' });
  const unit = { requirement: 'token.tampered', operation, kind };
  if (!credential) return [];
  if (!tampered) return [decisionOn(api, unit, inconclusive('the plan has no tampered token of this kind'))];
  const other = api.claims.kinds
    .flatMap((name) => (name === kind ? [] : (api.full(name)?.token ?? [])))
    .find((candidate) => candidate.length === token.length);
  const person = actsAs(api.contract, kind) ? api.people.actAs : api.people.user;
  const issuer = api.variable('AUTHORIZATION_SERVER_ISSUER') ?? api.variable('TARGET_BASE_URL') ?? '';
  const connection = api.connect();
  const tried: Tried[] = [];
  // The matrix changes a character in the middle, too.
  const isSent = ({ token: made }: Made) => made === tampered.credential?.token && api.seen(tampered) !== undefined;
  for (const made of madeFrom(token, { other, person, issuer }, api.breadth).filter((one) => !isSent(one))) {
    const own = connection.fork();
    const sent = { ...tampered, credential: own.derive(credential, made.token, made.how) };
    let original: CheckAnswer | undefined;
    const found = await confirmCase(async () => {
      const first = await own.send(planned, 'the original token is accepted');
      original = first.answer;
      // The refusal of the tampered token would prove nothing, so it is not sent.
      if (!original.accepted) return { answer: original, judgement: undefined };
      return own.send(sent, `a token with ${made.how} is ${made.isFree ? 'left open' : 'refused with 401'}`);
    });
    tried.push({ api: own, made, original, found });
  }
  // A change of case or of hyphens is left open, unless another change is accepted too (outcomes 2).
  const others = tried.filter(({ made }) => !made.isFree).map(({ found }) => found);
  const isOpen = !others.some((found) => found.kind === 'wrong' && found.miss.wronglyAccepted);
  const results: CheckResult[] = [];
  for (const one of tried) {
    const decided = one.made.isFree && isOpen ? await leaveOpen(one) : await decide(one);
    results.push(decisionOn(one.api, { ...unit, requirement: suspectOf(one) ?? unit.requirement }, decided));
  }
  return results;
}

/** The refusal may be right, and only its message belongs to something else. */
function suspectOf({ found }: Tried): string | undefined {
  if (found.kind !== 'wrong' && found.kind !== 'fleeting') return undefined;
  return found.miss.strayMessage ? found.miss.suspects[0]?.requirement : undefined;
}

async function decide({ api, made: { how }, original, found }: Tried): Promise<Decided> {
  if (!original?.accepted) return inconclusive('the original token was not accepted right before');
  switch (found.kind) {
    case 'right':
      return pass(await api.acceptance(original), how);
    case 'lost':
      return inconclusive(`${how}: ${found.why}`);
    case 'wrong':
    case 'fleeting': {
      const { wanted, got } = found.miss;
      const failed = { ...fail(found.answer, `a token with ${how}: wanted ${wanted}, got ${got}`), wanted, got };
      return blame(found.kind, failed);
    }
  }
}

async function leaveOpen(tried: Tried): Promise<Decided> {
  const { api, made, original, found } = tried;
  if (found.kind === 'wrong' && found.miss.wronglyAccepted) return observed(`a token with ${made.how} is accepted`);
  if (found.kind !== 'right' || !original) return decide(tried);
  return observedRefusal(await api.acceptance(original), `a token with ${made.how} is refused`);
}
