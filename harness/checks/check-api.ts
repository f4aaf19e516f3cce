import { operationOf } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import { makeCase, neutralCase } from '../plan/case.ts';
import { isBarred } from '../plan/control.ts';
import { curlFor } from '../plan/curl.ts';
import type { CreatedRecord, Exchange } from '../record/exchange.ts';
import { shownName } from '../record/shown-name.ts';
import type { Probe } from '../send/undici-probe.ts';
import { type Answered, acceptanceFrom, isTo } from './acceptance.ts';
import type { CheckApi } from './check.ts';
import { shownValues } from './check-curl.ts';
import { type Connection, requestsOver } from './check-requests.ts';
import { administerFor, secretsFor } from './check-secrets.ts';
import type { AnswersSoFar, CheckWorld } from './check-world.ts';
import { createDelivery } from './deliver.ts';

export interface ConnectedApi extends CheckApi, Pick<AnswersSoFar, 'isUnseen'> {
  /** Whether the check asked how much it may try, and may try only the most telling ways. */
  triesInPart(): boolean;
  close(): Promise<void>;
}

/** The API for one run of a check. It has one keep-alive connection, and uses the session's gate and journal. */
export function createCheckApi(world: CheckWorld, check: string, seed: number): ConnectedApi {
  const { contract, plan, settings, breadth, parts, redactor, soFar, transport } = world;
  const deliver = createDelivery(world, check);
  const connections: Probe[] = [];
  let pool: Connection | undefined; // for requests that do not wait for each other
  let inPart = false;

  const connect = (most?: number): Connection => {
    const to = new Map<string, Probe>();
    return (origin, route) => {
      const key = JSON.stringify([origin, route]);
      const connection = to.get(key) ?? transport.connect(most, origin, route);
      if (!to.has(key)) connections.push(connection);
      to.set(key, connection);
      return connection;
    };
  };
  const poolOfCheck = () => {
    pool ??= connect(settings.concurrency);
    return pool;
  };
  const full = (kind: string) => plan.find(neutralCase(contract, contract.operations[0].id, kind).id)?.credential;
  const named = (what: CreatedRecord['what'], name: unknown) => {
    const id = shownName(redactor, name);
    return { what, check: check.replace(/^check:/, ''), ...(id !== undefined && { id }) };
  };
  const removed: CheckApi['removed'] = (what, name, failed) => {
    const why = failed !== undefined && { failed: redactor.text(failed) };
    world.note({ type: 'removed', ...named(what, name), ...why });
  };
  const shown = shownValues(settings, parts.people);
  const evidenceFor = evidenceOf(world);

  const apiOver = (connection: Connection, steps: Answered[]): CheckApi => {
    const requests = requestsOver(world, { deliver, connection, pool: poolOfCheck, steps, full, shown });
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
      full,
      ...secretsFor(redactor),
      administer: administerFor(world),
      created: (what, name) => world.note({ type: 'created', ...named(what, name) }),
      removed,
      ...requests,
      ...evidenceFor(requests),
      routes: () => transport.routes(),
      mayVisit: (url) => transport.mayVisit(url),
      // What is refused to every token of a kind leaves a check nothing to change.
      planned(operation, kind, values) {
        const neutral = neutralCase(contract, operation, kind);
        if (isBarred(contract, neutral)) return undefined;
        return plan.find(makeCase(contract, { ...neutral.values, ...values }).id);
      },
      decided: () => world.decisions,
      barred(operation, kind) {
        const neutral = neutralCase(contract, operation, kind);
        return isBarred(contract, neutral) ? plan.find(neutral.id) : undefined;
      },
      fork: () => apiOver(connection, []),
      spread: () => apiOver(poolOfCheck(), []),
      connect: () => apiOver(connect(), steps),
      wait: (ms) => world.gate.wait(ms),
    };
  };
  // A spread would ask for the breadth.
  return Object.assign(apiOver(connect(), []), {
    triesInPart: () => inPart,
    isUnseen: soFar.isUnseen,
    close: () => Promise.all(connections.map((connection) => connection.close())).then(() => undefined),
  });
}

/** What the answers of the run show. Each operation is asked at most once without a token, whichever requests ask for it. */
function evidenceOf({ contract, sender, soFar, parts, settings }: CheckWorld) {
  const tried = new Map<Operation, Promise<unknown>>();
  const answeredFrom = ({ observation, seq, step }: Exchange, operation: Operation | undefined): Answered => ({
    observation,
    seq,
    step,
    operation,
    accepted: soFar.isAcceptance(observation, operation),
  });
  return ({ call }: Pick<CheckApi, 'call'>): Pick<CheckApi, 'acceptance' | 'seen' | 'recorded'> => {
    /** Whether the target refused any request to the operation. If none did, it is asked without a token. */
    const isRefusedSomewhere = async (operation: Operation): Promise<boolean> => {
      if (soFar.wasRefused(operation)) return true;
      const shows = 'a request without a token is refused';
      const asked = tried.get(operation) ?? call({ operation, shows, wanted: 'refused' });
      await tried.set(operation, asked).get(operation);
      return soFar.wasRefused(operation);
    };
    return {
      acceptance: (answer) => acceptanceFrom(answer, isRefusedSomewhere),
      seen(planned) {
        const exchange = sender.seen(planned.id);
        if (!exchange) return undefined;
        const answered = answeredFrom(exchange, operationOf(contract, planned.values.operation));
        return { ...answered, command: () => curlFor(parts, settings, planned) };
      },
      recorded: () =>
        sender.exchanges.map((exchange) => {
          const operation = [...contract.operations, ...contract.mcp].find((one) => isTo(one)(exchange));
          const { case: id, role, credential } = exchange;
          return { case: id, role, credential, ...answeredFrom(exchange, operation) };
        }),
    };
  };
}
