import { type Contract, operationOf } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import { judgeAnswer } from '../judge/judge-answer.ts';
import { actingAs } from '../plan/credentials.ts';
import { curlFor } from '../plan/curl.ts';
import { refusesToken } from '../plan/expectation.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { buildRequest, type WireRequest } from '../plan/request.ts';
import { isAnswer } from '../record/observation.ts';
import type { Route } from '../send/routes.ts';
import { startingLine } from '../send/sender.ts';
import type { Probe } from '../send/undici-probe.ts';
import { USUAL_TIMEOUT_MS } from '../settings/settings.ts';
import { type Answered, outcomeOf } from './acceptance.ts';
import type { Call, CheckAnswer, CheckApi, Judged } from './check.ts';
import { type CurlForm, curlOf, optionsFor, type Shown, shownLine } from './check-curl.ts';
import { rawSendsToken, sendsWrongToken } from './check-secrets.ts';
import type { CheckWorld } from './check-world.ts';
import {
  callRequest,
  type Deliver,
  type Delivery,
  mcpAddress,
  pathAt,
  rawRequest,
  unsent,
  visitRequest,
} from './deliver.ts';

/** A connection to each server that the operator named, and for each way to the target. @param origin by default that of the target. */
export type Connection = (origin?: string, route?: Route) => Probe;

/** Where the requests of a check go out, and what notes their answers. */
interface RequestLine extends Pick<CheckApi, 'full'> {
  readonly deliver: Deliver;
  readonly connection: Connection;
  /** Connections for requests that do not wait for each other. */
  readonly pool: () => Connection;
  readonly steps: Answered[];
  readonly shown: Shown;
}
type Requests = Pick<CheckApi, 'call' | 'together' | 'callOnce' | 'raw' | 'visit' | 'send'>;

/** How a check sends requests: each with its step, what waits for it, and a command line that sends it again. */
export function requestsOver(world: CheckWorld, line: RequestLine): Requests {
  const { deliver, connection, pool, steps, full, shown } = line;
  const { acceptedCalls, contract, settings, chats, gate, parts, patience, redactor, transport } = world;
  const { extraHeaders, clientCertificate, claims } = settings;

  const curlFrom = (wire: WireRequest & CurlForm, { credential }: Pick<Call, 'credential'>, baseUrl?: string) => {
    const own: Shown = credential ? [[credential.token, credential.shell]] : [];
    const elsewhere = baseUrl === undefined ? { clientCertificate } : { baseUrl };
    return curlOf(wire, { extraHeaders, shown: [...own, ...shown], redactor, ...elsewhere });
  };
  const mayEnd = world.plan.credentials.flatMap(({ credential }) =>
    credential.endsAt === undefined ? [] : credential,
  );
  /** Who waits longer for the answers of a slow target waits longer for those to odd requests, too. */
  const longer = (patienceMs: number) => patienceMs * Math.max(1, settings.timeoutMs / USUAL_TIMEOUT_MS);
  const note = async (send: () => Promise<CheckAnswer>): Promise<CheckAnswer> => {
    const answer = { ...(await send()), again: () => note(send) };
    // A check may send hundreds of requests, and a body may have 8 MiB.
    const { text: _text, headers: _headers, ...step } = answer;
    steps.push(step);
    return answer;
  };
  const sendTo = async (
    operation: Operation,
    delivery: Delivery,
    wire: WireRequest,
    {
      patienceMs = Infinity,
      over = connection,
      route,
    }: Pick<Call, 'route'> & { readonly patienceMs?: number | undefined; readonly over?: Connection },
  ): Promise<CheckAnswer> => {
    const spent = chats.take(operation);
    if (spent !== undefined) return unsent(spent, delivery);
    const timeoutMs = () => Math.min(longer(patienceMs), patience.waitMs(operation));
    const elsewhere = mcpAddress(world, operation);
    const answer = await deliver(delivery, () =>
      elsewhere
        ? over(elsewhere.origin).send({ ...wire, path: pathAt(elsewhere, wire.path) }, timeoutMs())
        : over(undefined, route).send(wire, timeoutMs(), !operation.documentsBody),
    );
    chats.settle(operation, answer.observation);
    return answer;
  };
  const call = (request: Call, over = connection, ready?: Delivery['ready']): Promise<CheckAnswer> => {
    const { operation, credential, shows, wanted, finds, patienceMs, route } = request;
    const command = () => {
      const bare = { ...callRequest({ ...parts, common: [] }, request), options: optionsFor(route) };
      const isElsewhere = mcpAddress(world, operation) !== undefined;
      return isElsewhere
        ? curlFrom({ ...bare, path: bare.path.replace(/^[^?]*/, '') }, request, '$MCP_URL')
        : curlFrom(bare, request);
    };
    const delivery = {
      step: { shows, wanted, operation: operation.id, ...(finds !== undefined && { finds }) },
      command,
      recipe: credential?.recipe ?? 'no token',
      credential: repeats(request) ? undefined : credential,
      operation,
      isDenial: () => sendsWrongToken({ full, claims }, request),
      mayBeSilent: patienceMs !== undefined,
      mayRefuseAnyhow: wanted !== 'accepted',
      ready,
    };
    const wire = callRequest(parts, request);
    return note(() => {
      const sending = sendTo(operation, delivery, wire, { patienceMs, over, route });
      return route ? sending : acceptedCalls.remembered(operation, wire, sending);
    });
  };

  return {
    call: (request) => call(request),
    async together(requests) {
      const come = startingLine(Math.min(requests.length, settings.concurrency));
      const sendIn = (request: Call) => {
        const { ready, leave } = come();
        return call(request, pool(), ready).finally(leave);
      };
      const answers = await gate.inTurn(() => Promise.all(requests.map(sendIn)));
      // What follows waits for as long as the rate spreads such requests.
      if (settings.rate !== undefined) await gate.wait(((requests.length - 1) * 1000) / settings.rate);
      return answers;
    },
    callOnce(request, body) {
      const known = chats.isTight ? acceptedCalls.like(callRequest(parts, request), body) : undefined;
      return known ? note(async () => known) : call(request);
    },
    raw({ operation, text, curl, shows, wanted, patienceMs = settings.timeoutMs }) {
      const delivery = {
        step: { shows, wanted, operation: operation.id },
        command: () =>
          shownLine(
            redactor,
            curl((wire, credential) => curlFrom(wire, { credential })),
          ),
        recipe: 'a raw request',
        carried: mayEnd.find(({ token }) => text.includes(token)),
        operation,
        isDenial: () => rawSendsToken({ wanted, text }),
        mayBeSilent: true,
        mayRefuseAnyhow: wanted !== 'accepted',
      };
      const timeoutMs = Math.min(longer(patienceMs), settings.timeoutMs);
      return note(() => deliver(delivery, () => transport.raw(rawRequest(settings, parts, text), timeoutMs)));
    },
    visit(visit) {
      const { url, shows, wanted } = visit;
      const delivery = {
        step: { shows, wanted },
        command: () => curlFrom(visitRequest({ common: [] }, visit), visit, url.origin),
        recipe: 'a request to another server',
        isDenial: () => wanted === 'refused',
        mayBeSilent: true,
        mayRefuseAnyhow: false,
      };
      const send = () => transport.visit(url.origin, visitRequest(parts, visit), settings.timeoutMs);
      return note(() => deliver(delivery, send));
    },
    async send(planned, shows, acting) {
      const { values, credential, expectation } = planned;
      const operation = operationOf(contract, values.operation);
      const delivery = {
        step: { shows, wanted: WANTED_OF[expectation.kind], operation: operation.id },
        command: () => shownLine(redactor, curlFor(parts, settings, planned, acting)),
        credential,
        operation,
        isDenial: (status: number | undefined) => refusesToken(expectation, status),
        mayRefuseAnyhow: expectation.kind === 'open',
      };
      const people = actingAs(parts.people, acting ?? 'actAs');
      const wire = buildRequest({ ...parts, people }, values, credential?.token ?? '');
      return judgedBy(contract, planned, await note(() => sendTo(operation, delivery, wire, {})));
    },
  };
}

/** Judges the answer to a case of the plan, however it was asked. */
export function judgedBy(contract: Contract, { values, expectation }: PlannedCase, answer: CheckAnswer): Judged {
  const { observation } = answer;
  const isJudged = outcomeOf(answer).kind !== 'lost' && isAnswer(observation);
  const operation = operationOf(contract, values.operation);
  const judgement = isJudged ? judgeAnswer(contract, operation, expectation, observation) : undefined;
  return { answer, judgement: judgement?.kind === 'undecided' ? undefined : judgement };
}

/** Whether a call has its token in another place too. A server may repeat what that says, such as an Origin or a coding. */
function repeats({ credential, headers, query, body }: Call): boolean {
  const rest = JSON.stringify([headers, query, body]);
  const forms = credential ? [credential.token, encodeURIComponent(credential.token)] : [];
  return forms.some((form) => rest.includes(JSON.stringify(form).slice(1, -1)));
}

const WANTED_OF = { accept: 'accepted', refuse: 'refused', open: 'either' } as const;
