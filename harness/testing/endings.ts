import type { Values } from '../contract/contract.ts';
import type { Baseline } from '../judge/baseline.ts';
import { type RunVerdict, runVerdictOf } from '../judge/ending.ts';
import { findingsOf } from '../judge/findings.ts';
import { gather, judgeCases } from '../judge/judge-cases.ts';
import type { RequirementVerdict } from '../judge/judge-requirements.ts';
import { expect as expectation } from '../plan/expectation.ts';
import type { Plan } from '../plan/plan.ts';
import type { Decision } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { answer, contract, messageText, planWith, rightAnswer, sendAll } from './small-world.ts';

const complete = planWith();
export const withoutExpired = planWith({ USER_TOKEN_EXPIRED: undefined, USER_TOKEN_EXPIRED_UNSCOPED: undefined });
export const badGateway = answer(503);

/** A run to judge. By default it conforms. */
export interface Run {
  readonly plan?: Plan;
  /** The answer to some cases. The others get the right answer. */
  readonly instead?: (values: Values) => Observation | undefined;
  readonly decisions?: readonly Decision[];
  readonly narrowed?: boolean;
  /** Whether the tokens were made for this run. By default they were. */
  readonly trusted?: boolean;
  readonly stopped?: string;
  readonly baseline?: Baseline;
}

export function judgeRun(run: Run): RunVerdict {
  const { plan = complete, instead = () => undefined, decisions = [], narrowed = false, trusted = true } = run;
  const { stopped, baseline } = run;
  const exchanges = sendAll(plan, ({ values }) => instead(values) ?? rightAnswer(values));
  const verdicts = judgeCases({ contract, plan, trusted }, plan.cases.values(), gather(exchanges));
  const findings = findingsOf(contract, verdicts, decisions, trusted);
  return runVerdictOf({ contract, plan, verdicts, findings, decisions, narrowed, stopped, baseline });
}

export function requirement(run: Run, id: string): RequirementVerdict {
  const found = judgeRun(run).requirements.find((judged) => judged.requirement.id === id);
  if (!found) throw new Error(`no requirement ${id}`);
  return found;
}

export const decision = (
  verdict: Decision['verdict'],
  id = 'user.isolation',
  detail = 'USER_PRIVATE_MARKER',
): Decision => ({
  type: 'decision',
  steps: [],
  check: 'isolation',
  requirement: id,
  operation: 'search',
  kind: 'USER',
  verdict,
  detail,
});

/** A baseline that lists expired tokens. */
export const LISTED: Baseline = {
  deviations: [{ requirement: 'token.expired', reason: 'until the gateway is replaced', review: '2030-01-01' }],
  gaps: [],
  today: '2026-11-21',
};
export const expired = ({ validity, kind }: Values) => validity === 'expired' && kind === 'USER';
/** Answers expired USER tokens with a wrong status. */
export const failing = (values: Values) => (expired(values) ? answer(404) : undefined);
export const isOpen = (values: Values) => expectation(contract, values).silent.length > 0;
/** Answers chats with a 2xx other than the documented one. Only a recommendation is missed. */
export const chatWith202 = (values: Values) =>
  values.operation === 'chat' && expectation(contract, values).kind === 'accept'
    ? answer(202, '', {}, 'chat')
    : undefined;
/** Refuses expired tokens with the right status and a misplaced message. */
export const misplacedMessage = (values: Values) =>
  expired(values) ? answer(401, JSON.stringify({ error: messageText('invalid-identity') })) : undefined;
/** Gives no answer to foreign tokens. */
export const losing = (values: Values) => (values.validity === 'foreign' ? badGateway : undefined);
