import { operationOf } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import { judgeAnswer } from '../judge/judge-answer.ts';
import { makeCase, neutralCase } from '../plan/case.ts';
import { isBarred } from '../plan/control.ts';
import { actingAs } from '../plan/credentials.ts';
import { curlFor } from '../plan/curl.ts';
import { refusesToken } from '../plan/expectation.ts';
import { buildRequest, type WireRequest } from '../plan/request.ts';
import type { CreatedRecord, Exchange } from '../record/exchange.ts';
import { isAccepted, isAnswer } from '../record/observation.ts';
import { shownName } from '../record/shown-name.ts';
import { startingLine } from '../send/sender.ts';
import type { Probe } from '../send/undici-probe.ts';
import { type Answered, acceptanceFrom, isTo, outcomeOf } from './acceptance.ts';
import type { Call, CheckAnswer, CheckApi } from './check.ts';
import { curlOf, type Shown, shownLine, shownValues } from './check-curl.ts';
import { administerFor, rawSendsToken, secretsFor, sendsWrongToken } from './check-secrets.ts';
import type { AnswersSoFar, CheckWorld } from './check-world.ts';
import { callRequest, createDelivery, type Delivery, mcpAddress, rawRequest, unsent, visitRequest } from './deliver.ts';

export interface ConnectedApi extends CheckApi, Pick<AnswersSoFar, 'isUnseen'> {
  /** Whether the check asked how much it may try, and may try only the most telling ways. */
  triesInPart(): boolean;
  close(): Promise<void>;
}

/** The API for one run of a check. It has one keep-alive connection, and uses the session's gate and journal. */
export function createCheckApi(world: CheckWorld, check: string, seed: number): ConnectedApi {
  const { acceptedCalls, contract, plan, settings, breadth, chats, sender, parts, redactor, soFar, transport } = world;
  const { extraHeaders, clientCertificate } = settings;
  const deliver = createDelivery(world, check);
  const shown = shownValues(settings, parts.people);
  const connections: Probe[] = [];
  let pool: Probe | undefined; // for requests that do not wait for each other
  const tried = new Map<Operation, Promise<unknown>>();
  let inPart = false;

  const named = (what: CreatedRecord['what'], name: unknown) => {
    const id = shownName(redactor, name);
    return { what, check: check.replace(/^check:/, ''), ...(id !== undefined && { id }) };
  };
  const fullToken = (kind: string) => plan.find(neutralCase(contract, contract.operations[0].id, kind).id)?.credential;
  const curlFrom = (wire: WireRequest, { credential }: Pick<Call, 'credential'>, baseUrl?: string) => {
    const own: Shown = credential ? [[credential.token, credential.shell]] : [];
    const elsewhere = baseUrl === undefined ? { clientCertificate } : { baseUrl };
    return curlOf(wire, { extraHeaders, shown: [...own, ...shown], redactor, ...elsewhere });
  };

  const answeredFrom = ({ observation, seq, step }: Exchange, operation: Operation | undefined): Answered => ({
    observation,
    seq,
    step,
    operation,
    accepted: soFar.isAcceptance(observation, operation),
  });

  const apiOver = (connection: Probe, steps: Answered[]): CheckApi => {
    const note = async (sending: Promise<CheckAnswer>): Promise<CheckAnswer> => {
      const answer = await sending;
      // A check may send hundreds of requests, and a body may have 8 MiB.
      const { text: _text, headers: _headers, ...step } = answer;
      steps.push(step);
      return answer;
    };
    const sendTo = async (
      operation: Operation,
      delivery: Delivery,
      wire: WireRequest,
      { patienceMs = Infinity, over = connection }: { readonly patienceMs?: number | undefined; readonly over?: Probe },
    ): Promise<CheckAnswer> => {
      const spent = chats.take(operation);
      if (spent !== undefined) return unsent(spent, delivery);
      const timeoutMs = Math.min(patienceMs, operation.isSlow ? settings.chatTimeoutMs : settings.timeoutMs);
      const elsewhere = mcpAddress(world, operation);
      const answer = await deliver(delivery, () =>
        elsewhere
          ? transport.visit(elsewhere.origin, { ...wire, path: elsewhere.pathname }, timeoutMs)
          : over.send(wire, timeoutMs, !operation.documentsBody),
      );
      chats.settle(operation, isAccepted(answer.observation));
      return answer;
    };
    const call = (request: Call, over = connection, ready?: Delivery['ready']): Promise<CheckAnswer> => {
      const { operation, credential, shows, wanted, finds, patienceMs } = request;
      const command = () => {
        const bare = callRequest({ ...parts, common: [] }, request);
        const isElsewhere = mcpAddress(world, operation) !== undefined;
        return isElsewhere ? curlFrom({ ...bare, path: '' }, request, '$MCP_URL') : curlFrom(bare, request);
      };
      const delivery = {
        step: { shows, wanted, operation: operation.id, ...(finds !== undefined && { finds }) },
        command,
        credential,
        operation,
        isDenial: () => sendsWrongToken({ full: fullToken, claims: settings.claims }, request),
        mayBeSilent: patienceMs !== undefined,
        mayRefuseAnyhow: wanted !== 'accepted',
        ready,
      };
      const wire = callRequest(parts, request);
      const sending = sendTo(operation, delivery, wire, { patienceMs, over });
      return note(acceptedCalls.remembered(operation, wire, sending));
    };
    /** Whether the target refused any request to the operation. If none did, it is asked without a token, once for each. */
    const isRefusedSomewhere = async (operation: Operation): Promise<boolean> => {
      if (soFar.wasRefused(operation)) return true;
      const shows = 'a request without a token is refused';
      const asked = tried.get(operation) ?? call({ operation, authorization: null, shows, wanted: 'refused' });
      await tried.set(operation, asked).get(operation);
      return soFar.wasRefused(operation);
    };

    return {
      contract,
      plan,
      claims: settings.claims,
      people: parts.people,
      seed,
      trusted: settings.trusted,
      get breadth() {
        inPart ||= breadth === 'telling';
        return breadth;
      },
      unknownToken: parts.unknownToken,
      steps,
      variable: (name) => settings.variables.get(name)?.value,
      full: fullToken,
      ...secretsFor(redactor),
      administer: administerFor(world),
      created: (what, name) => world.note({ type: 'created', ...named(what, name) }),
      removed: (what, name, failed) =>
        world.note({
          type: 'removed',
          ...named(what, name),
          ...(failed !== undefined && { failed: redactor.text(failed) }),
        }),
      call: (request) => call(request),
      async together(requests) {
        const come = startingLine(Math.min(requests.length, settings.concurrency));
        const sendIn = (request: Call) => {
          const { ready, leave } = come();
          return call(request, poolOfCheck(), ready).finally(leave);
        };
        const answers = await Promise.all(requests.map(sendIn));
        // What follows waits for as long as the rate spreads such requests.
        if (settings.rate !== undefined) await world.gate.wait(((requests.length - 1) * 1000) / settings.rate);
        return answers;
      },
      callOnce(request, body) {
        const known = chats.isTight ? acceptedCalls.like(callRequest(parts, request), body) : undefined;
        return known ? note(Promise.resolve(known)) : call(request);
      },
      raw({ operation, text, curl, shows, wanted, patienceMs = settings.timeoutMs }) {
        const delivery = {
          step: { shows, wanted, operation: operation.id },
          command: () => shownLine(redactor, curl()),
          recipe: 'a raw request',
          operation,
          isDenial: () => rawSendsToken({ wanted, text }),
          mayBeSilent: true,
          mayRefuseAnyhow: wanted !== 'accepted',
        };
        return note(
          deliver(delivery, () =>
            transport.raw(rawRequest(settings, parts, text), Math.min(patienceMs, settings.timeoutMs)),
          ),
        );
      },
      mayVisit: (url) => transport.mayVisit(url),
      visit(visit) {
        const { url, shows, wanted } = visit;
        const send = () => transport.visit(url.origin, visitRequest(parts, visit), settings.timeoutMs);
        return note(
          deliver(
            {
              step: { shows, wanted },
              command: () => curlFrom(visitRequest({ common: [] }, visit), visit, url.origin),
              recipe: 'a request to another server',
              isDenial: () => wanted === 'refused',
              mayBeSilent: true,
              mayRefuseAnyhow: false,
            },
            send,
          ),
        );
      },
      async send(planned, shows, acting) {
        const { values, credential, expectation } = planned;
        const operation = operationOf(contract, values.operation);
        const wanted = WANTED_OF[expectation.kind];
        const delivery = {
          step: { shows, wanted, operation: operation.id },
          command: () => redactor.text(curlFor(parts, settings, planned, acting)),
          credential,
          operation,
          isDenial: (status: number | undefined) => refusesToken(expectation, status),
          mayRefuseAnyhow: expectation.kind === 'open',
        };
        const people = actingAs(parts.people, acting ?? 'actAs');
        const wire = buildRequest({ ...parts, people }, values, credential?.token ?? '');
        const answer = await note(sendTo(operation, delivery, wire, {}));
        const { observation } = answer;
        const isJudged = outcomeOf(answer).kind !== 'lost' && isAnswer(observation);
        const judgement = isJudged ? judgeAnswer(contract, operation, expectation, observation) : undefined;
        return { answer, judgement: judgement?.kind === 'undecided' ? undefined : judgement };
      },
      seen({ id, values }) {
        const exchange = sender.seen(id);
        return exchange && answeredFrom(exchange, operationOf(contract, values.operation));
      },
      recorded: () =>
        sender.exchanges.map((exchange) => {
          const operation = [...contract.operations, ...contract.mcp].find((one) => isTo(one)(exchange));
          const { case: id, role, credential } = exchange;
          return { case: id, role, credential, ...answeredFrom(exchange, operation) };
        }),
      acceptance: (answer) => acceptanceFrom(answer, isRefusedSomewhere),
      // What is refused to every token of a kind leaves a check nothing to change.
      planned(operation, kind, values) {
        const neutral = neutralCase(contract, operation, kind);
        if (isBarred(contract, neutral)) return undefined;
        return plan.find(makeCase(contract, { ...neutral.values, ...values }).id);
      },
      fork: () => apiOver(connection, []),
      spread: () => apiOver(poolOfCheck(), []),
      connect: () => apiOver(connect(), steps),
      curl: (planned) => curlFor(parts, settings, planned),
      wait: (ms) => world.gate.wait(ms),
    };
  };
  const connect = (most?: number) => {
    const connection = transport.connect(most);
    connections.push(connection);
    return connection;
  };
  const poolOfCheck = () => {
    pool ??= connect(settings.concurrency);
    return pool;
  };
  // A spread would ask for the breadth.
  return Object.assign(apiOver(connect(), []), {
    triesInPart: () => inPart,
    isUnseen: soFar.isUnseen,
    close: () => Promise.all(connections.map((connection) => connection.close())).then(() => undefined),
  });
}

const WANTED_OF = { accept: 'accepted', refuse: 'refused', open: 'either' } as const;
