import type { Contract, Level, Outcome, StatusPattern } from './contract.ts';
import { nearMiss } from './messages.ts';
import type { Answer } from './observation.ts';
import type { Operation } from './operations.ts';
import { type Expectation, levelOf, type Suspect } from './oracle.ts';

/** What one answer says about one case. */
export type Judgement =
  | { readonly kind: 'pass' /** Requirements that the answer satisfies. */; readonly satisfied: readonly string[] }
  | { readonly kind: 'observed'; readonly silent: readonly Suspect[] }
  | Miss;
export interface Miss {
  readonly kind: 'miss';
  /** One of these is broken; findings.ts decides which. */
  readonly suspects: readonly Suspect[];
  /** The gravest level among them: a miss of `should` or `advisory` is a warning. */
  readonly level: Level;
  /** The answer was a 2xx where a refusal was due: wrong however rare. */
  readonly wronglyAccepted: boolean;
  readonly wanted: string;
  readonly got: string;
}

/** Holds an answer against what the case admits. Pure. */
export function judge(contract: Contract, operation: Operation, expectation: Expectation, answer: Answer): Judgement {
  const accepted = answer.status >= 200 && answer.status < 300;
  if (accepted && expectation.kind !== 'refuse') return judgeSuccess(contract, operation, expectation, answer);
  if (expectation.kind === 'accept') return miss(expectation.suspects, contract, expectation, operation, answer);
  if (expectation.kind === 'open') {
    if (answer.status < 400 || answer.status > 499)
      return miss(expectation.silent, contract, expectation, operation, answer);
    return misplaced(contract, operation, expectation, answer) ?? { kind: 'observed', silent: expectation.silent };
  }
  const matching = expectation.admissible.filter(({ outcome }) => matches(outcome, answer));
  const clean = matching.filter(({ outcome }) => outcome.verdict === undefined);
  if (matching.length === 0) return miss(expectation.suspects, contract, expectation, operation, answer);
  const stray = misplaced(contract, operation, expectation, answer);
  if (stray) return stray;
  if (clean.length === 0) {
    const blamed = expectation.suspects.filter(({ requirement }) =>
      matching.some((match) => match.requirement === requirement),
    );
    return { ...miss(blamed, contract, expectation, operation, answer), level: 'should' };
  }
  const silent = new Set(expectation.silent.map(({ requirement }) => requirement));
  const satisfied = [...new Set(clean.map(({ requirement }) => requirement))].filter((id) => !silent.has(id));
  if (satisfied.length === 0) return { kind: 'observed', silent: expectation.silent };
  return { kind: 'pass', satisfied: [...satisfied, ...messageRequirements(contract)] };
}

/** A refusal without a misplaced message satisfies what the ledger says of messages. */
function messageRequirements({ rules }: Contract): string[] {
  return [...new Set(Object.values(rules.messages).map(({ requirement }) => requirement))];
}

function judgeSuccess(contract: Contract, operation: Operation, expectation: Expectation, answer: Answer): Judgement {
  const response = `${operation.id}.response`;
  const blame = (requirement: string, wanted: string, got: string): Miss => {
    const suspect: Suspect = {
      rule: requirement,
      template: requirement,
      requirement,
      level: levelOf(contract, requirement),
      basis: 'stated',
    };
    return { kind: 'miss', suspects: [suspect], level: suspect.level, wronglyAccepted: false, wanted, got };
  };
  if (answer.status !== operation.success.status) {
    const requirement = operation.success.validate ? `${operation.id}.success` : response;
    return blame(requirement, String(operation.success.status), String(answer.status));
  }
  const errors = answer.schemaErrors ?? [];
  if (errors.length > 0)
    return blame(
      response,
      `${answer.status} with the documented body`,
      `${answer.status}, but ${errors.slice(0, 3).join('; ')}`,
    );
  if (operation.success.validate && !/json/i.test(answer.contentType ?? ''))
    return blame(
      'response.content-type',
      `${answer.status} declared as JSON`,
      `${answer.status} declared as ${answer.contentType ?? 'nothing'}`,
    );
  if (expectation.kind === 'open') return { kind: 'observed', silent: expectation.silent };
  return {
    kind: 'pass',
    satisfied: [
      ...expectation.suspects.map(({ requirement }) => requirement),
      response,
      ...(operation.success.validate ? ['response.content-type'] : []),
    ],
  };
}

/** A documented message where none of the rules that hold allows it. */
function misplaced(
  contract: Contract,
  operation: Operation,
  expectation: Expectation,
  answer: Answer,
): Miss | undefined {
  const stray = answer.whole.find((id) => !expectation.messages.has(id));
  const message = stray === undefined ? undefined : contract.rules.messages[stray];
  if (!message) return undefined;
  const { requirement } = message;
  const suspect: Suspect = {
    rule: requirement,
    template: requirement,
    requirement,
    level: levelOf(contract, requirement),
    basis: 'stated',
  };
  return {
    ...miss([suspect], contract, expectation, operation, answer),
    wanted: `a refusal without the message "${message.text}"`,
  };
}

function miss(
  suspects: readonly Suspect[],
  contract: Contract,
  expectation: Expectation,
  operation: Operation,
  answer: Answer,
): Miss {
  const must = suspects.some(({ level }) => level === 'must');
  const should = suspects.some(({ level }) => level === 'should');
  return {
    kind: 'miss',
    suspects,
    level: must ? 'must' : should ? 'should' : 'advisory',
    wronglyAccepted: answer.status >= 200 && answer.status < 300,
    wanted: describeWanted(contract, expectation, operation),
    got: describeAnswer(contract, expectation, answer),
  };
}

function matches({ status, message }: Outcome, answer: Answer): boolean {
  if (![status].flat().some((pattern) => statusMatches(pattern, answer.status))) return false;
  if (message === undefined) return true;
  return message === 'none' ? answer.whole.length === 0 : message.some((id) => answer.whole.includes(id));
}

function statusMatches(pattern: StatusPattern, status: number): boolean {
  return typeof pattern === 'number' ? pattern === status : Math.floor(status / 100) === Number(pattern[0]);
}

/** The admissible set in words: `401; or 400 with "Required header missing: X-Service-ActAs"`. */
export function describeWanted(contract: Contract, expectation: Expectation, operation: Operation): string {
  const texts = expectation.admissible.map(({ outcome }) => describeOutcome(contract, outcome));
  if (expectation.kind === 'accept') return `${operation.success.status}`;
  if (expectation.kind === 'open') return `${operation.success.status} or any 4xx`;
  return [...new Set(texts)].join('; or ');
}

function describeOutcome(contract: Contract, { status, message }: Outcome): string {
  const statuses = [status].flat().join(' or ');
  if (message === undefined) return statuses;
  if (message === 'none') return `${statuses} without a documented message`;
  return `${statuses} with ${message.map((id) => `"${contract.rules.messages[id]?.text ?? id}"`).join(' or ')}`;
}

/** What came, and for a message that nearly fits, how it differs. */
function describeAnswer(contract: Contract, expectation: Expectation, answer: Answer): string {
  const text = (id: string) => contract.rules.messages[id]?.text ?? id;
  const status = String(answer.status);
  if (answer.whole.length > 0) return `${status} with "${answer.whole.map(text).join('" and "')}"`;
  const wanted = expectation.admissible.flatMap(({ outcome }) =>
    Array.isArray(outcome.message) ? outcome.message : [],
  );
  const embedded = answer.embedded.find((id) => wanted.includes(id));
  if (embedded !== undefined) return `${status} with "${text(embedded)}" embedded in other text`;
  const lines = (answer.excerpt ?? '').split(/[\r\n"<>]+/).map((line) => line.trim());
  for (const id of wanted) {
    const near = nearMiss(lines, text(id));
    if (near !== undefined) return `${status} with ${JSON.stringify(near)}, nearly but not ${JSON.stringify(text(id))}`;
  }
  return answer.excerpt === undefined || answer.excerpt === ''
    ? status
    : `${status} with ${JSON.stringify(answer.excerpt.slice(0, 80))}`;
}
