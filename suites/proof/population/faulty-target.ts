import { ACCEPTED, type Contract, messageText, type Rule, type Values } from '../../../harness/contract/contract.ts';
import { makeCase } from '../../../harness/plan/case.ts';
import { faultsOf, silentRulesOf } from '../../../harness/plan/expectation.ts';
import type { WireRequest } from '../../../harness/plan/request.ts';
import { imaginedTarget } from '../../../harness/preview/imagined-target.ts';
import { acceptance, plain, requestReader } from '../../../harness/preview/read-request.ts';
import type { RawAnswer } from '../../../harness/record/observation.ts';
import type { Transport, TransportInput } from '../../../harness/send/transport.ts';
import { type Fault, meets } from './fault.ts';
import type { Random } from './random.ts';

/**
 * A target in memory with one fault of the model, or without one. It checks the rules in an order that is drawn, and
 * accepts what the specification leaves open.
 */
export function faultyTarget(fault: Fault | undefined, random: Random): (input: TransportInput) => Transport {
  return (input) => {
    const { contract } = input.parts;
    const order = random.shuffled(contract.rules.refusals).map(({ id }) => id);
    const uses = new Map(input.plan.credentials.map(({ use, credential }) => [credential.token, use]));
    const read = requestReader(input.parts, (token) => uses.get(token));
    const send = async (request: WireRequest): Promise<RawAnswer> => {
      const operation = contract.operations.find(
        ({ path, method }) => path === request.path && method === request.method,
      );
      if (!operation) return plain(404);
      const { dimensions } = read(operation, request);
      const { values } = makeCase(contract, { ...dimensions, 'header-case': letterCaseOf(request) });
      const answer = answerTo(contract, values, order, fault);
      return answer === ACCEPTED ? acceptance(operation, '') : answer;
    };
    return { ...imaginedTarget(input), probe: { send, close: async () => undefined } };
  };
}

function answerTo(
  contract: Contract,
  values: Values,
  order: readonly string[],
  fault: Fault | undefined,
): RawAnswer | typeof ACCEPTED {
  // It answers nothing that is only tolerated.
  const held = faultsOf(contract, values)
    .filter(({ outcome }) => outcome?.some(({ verdict }) => verdict === undefined))
    .sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  const own = held.find(({ id }) => id === fault?.rule)?.requirement;
  const isFaulty = fault !== undefined && meets(fault, values);
  const left = isFaulty && fault.effect === 'lifted' ? held.filter(({ requirement }) => requirement !== own) : held;
  const [first] = left;
  if (first === undefined) {
    const mustBeAccepted = held.length === 0 && silentRulesOf(contract, values).length === 0;
    const isRefused = isFaulty && fault.rule === ACCEPTED && fault.effect !== 'lifted' && mustBeAccepted;
    return isRefused ? plain(fault.effect) : ACCEPTED;
  }
  if (isFaulty && fault.effect !== 'lifted' && first.requirement === own) return plain(fault.effect);
  return refusal(contract, first);
}

function refusal(contract: Contract, { outcome }: Rule): RawAnswer {
  const { status, message } = outcome?.[0] ?? { status: 400 };
  const [code = 400] = [status].flat();
  const [id] = Array.isArray(message) ? message : [];
  return plain(typeof code === 'number' ? code : 400, {}, id === undefined ? '' : messageText(contract, id));
}

function letterCaseOf({ headers }: WireRequest): string {
  const names = headers.map(([name]) => name);
  if (names.every((name) => name === name.toLowerCase())) return 'lower';
  return names.every((name) => name === name.toUpperCase()) ? 'upper' : 'documented';
}
