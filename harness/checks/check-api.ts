import type { Administer } from '../commands/administration.ts';
import { shownReason } from '../commands/shown-reason.ts';
import { operationOf } from '../contract/contract.ts';
import { judgeAnswer } from '../judge/judge-answer.ts';
import { makeCase, neutralCase } from '../plan/case.ts';
import { curlFor } from '../plan/curl.ts';
import { buildRequest, type WireRequest } from '../plan/request.ts';
import { transportReason } from '../record/observation.ts';
import type { Call, CheckAnswer, CheckApi } from './check.ts';
import { callRequest, rawRequest, visitRequest } from './check-requests.ts';
import type { CheckWorld } from './check-world.ts';
import { createDelivery, RUN_STOPPED, unsent } from './deliver.ts';

/** Replaces the name of a variable for a token that was made during the run. */
const MADE = 'a token of ADMINISTRATION_COMMAND';

/** The API for one run of a check. It has one keep-alive connection, and uses the session's gate and journal. */
export function createCheckApi(world: CheckWorld, check: string, seed: number): CheckApi & { close(): void } {
  const { contract, plan, settings, chats, sender, parts, redactor, transport } = world;
  const deliver = createDelivery(world, check);
  const connection = transport.connect();
  const children: { close(): void }[] = [];

  const send = async (call: Pick<Call, 'operation' | 'credential'>, wire: WireRequest): Promise<CheckAnswer> => {
    const { operation } = call;
    const spent = chats.take(operation);
    if (spent !== undefined) return unsent(spent);
    const timeoutMs = operation.isSlow ? settings.chatTimeoutMs : settings.timeoutMs;
    const answer = await deliver(call, () => connection.exchange(wire, timeoutMs));
    chats.settle(operation, answer.accepted);
    return answer;
  };

  return {
    contract,
    plan,
    claims: settings.claims,
    people: parts.people,
    seed,
    trusted: settings.trusted,
    unknownToken: parts.unknownToken,
    variable: (name) => settings.variables.get(name)?.value,
    full(kind) {
      const operation = contract.operations[0]?.id ?? '';
      return plan.cases.get(neutralCase(contract, operation, kind).id)?.credential;
    },
    derive(from, token, how) {
      const recipe = `${from.recipe}, ${how}`;
      redactor.add(recipe, token);
      return { ...from, recipe, token };
    },
    administer: administerFor(world),
    made: (token, what) => ({ source: 'made', variable: MADE, recipe: what, shell: `<${what}>`, token }),
    call: (call) => send(call, callRequest(parts, call)),
    raw: (text) => deliver({}, () => transport.raw(rawRequest(settings, parts, text), settings.timeoutMs)),
    mayVisit: (url) => transport.mayVisit(url),
    visit: (url, sent) =>
      deliver({}, () => transport.visit(url.origin, visitRequest(parts, url, sent), settings.timeoutMs)),
    async send({ values, credential, expectation }) {
      const operation = operationOf(contract, values.operation);
      const answer = await send({ operation, credential }, buildRequest(parts, values, credential?.token ?? ''));
      const { observation } = answer;
      const isJudged = observation.kind === 'answer' && transportReason(observation) === undefined;
      const judgement = isJudged ? judgeAnswer(contract, operation, expectation, observation) : undefined;
      return { answer, judgement: judgement?.kind === 'undecided' ? undefined : judgement };
    },
    seen: ({ id }) => sender.seen(id),
    planned: (operation, kind, values) =>
      plan.cases.get(makeCase(contract, { ...neutralCase(contract, operation, kind).values, ...values }).id),
    connect() {
      const child = createCheckApi(world, check, seed);
      children.push(child);
      return child;
    },
    curl: (planned) => curlFor(parts, settings, planned),
    close() {
      connection.close();
      for (const child of children) child.close();
    },
  };
}

/** Runs ADMINISTRATION_COMMAND through the gate. Registers a new secret with the redactor before the check sees it. */
function administerFor({ gate, transport, redactor }: CheckWorld): Administer | undefined {
  const { administer } = transport;
  return (
    administer &&
    (async (request) => {
      const answer = await gate.pass(() => administer(request));
      if (answer === undefined) return { kind: 'failed', why: gate.closed ?? RUN_STOPPED };
      if (answer.kind !== 'done') return { ...answer, why: shownReason(redactor, answer.why) };
      if (answer.secret !== undefined) redactor.add(MADE, answer.secret);
      return answer;
    })
  );
}
