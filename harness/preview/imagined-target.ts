import { actsAs, mayAct, messageText } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import { makeCase } from '../plan/case.ts';
import { type Expectation, expect } from '../plan/expectation.ts';
import type { WireRequest } from '../plan/request.ts';
import type { RawAnswer } from '../record/observation.ts';
import { NO_ROUTES } from '../send/routes.ts';
import type { Transport, TransportInput } from '../send/transport.ts';
import { visitsFor } from '../send/vicinity.ts';
import { imaginedAdministration, imaginedAuthorizationServer, imaginedMcp } from './imagined-administration.ts';
import { acceptance, markerFound, type OwnedUse, ownerOf, plain, readRaw, requestReader } from './read-request.ts';

/** Called for every answer. `operation` is undefined if the request was for no operation. */
export type OnAnswer = (operation: Operation | undefined, status: number) => void;

/** Called with every request as one text, and with the origin that it goes to. */
export type OnSent = (origin: string, request: string) => void;

/** A conforming target in memory, for a rehearsal. It gives the first answer that the contract admits, and knows the plan's tokens. */
export function imaginedTarget(
  input: TransportInput,
  onAnswer: OnAnswer = () => undefined,
  onSent: OnSent = () => undefined,
): Transport {
  const { settings, parts } = input;
  const { contract } = parts;
  const administration = imaginedAdministration(contract);
  const server = imaginedAuthorizationServer(settings);
  const answerOf = answererOf(input, administration.use, server.challenge);
  const mcp = imaginedMcp(input);
  const answer = (request: WireRequest): RawAnswer => {
    const told = mcp(request);
    if (told) {
      onAnswer(told.operation, told.answer.status);
      return told.answer;
    }
    const atPath = contract.operations.filter(({ path }) => path === request.path.split('?')[0]);
    const operation = atPath.find(({ method }) => method === request.method);
    const allow = atPath.map(({ method }) => method).join(', ');
    const given = operation ? answerOf(operation, request) : plain(atPath.length > 0 ? 405 : 404, { allow });
    onAnswer(operation, given.status);
    return given;
  };
  const { origin, pathname } = new URL(settings.baseUrl);
  const probeTo = (to: string) => ({
    async send(request: WireRequest) {
      onSent(to, textOf(request));
      return answer(request);
    },
    close: async () => undefined,
  });
  const visits = visitsFor(settings, async () => [PUBLIC]);
  return {
    probe: probeTo(origin),
    connect: (_connections, to = origin) => probeTo(to),
    // Nothing is resolved, because nothing is sent.
    routes: async () => NO_ROUTES,
    async raw(text) {
      onSent(origin, text);
      return readRaw(text, pathname, answer);
    },
    mayVisit: async (url) => (await visits(url)).kind === 'allowed',
    async visit(to, request) {
      onSent(to, textOf(request));
      const given = server.visit(to, request);
      onAnswer(undefined, given.status);
      return given;
    },
    administer: settings.variables.has('ADMINISTRATION_COMMAND') ? administration.administer : undefined,
  };
}

function textOf({ path, headers, body = '' }: WireRequest): string {
  return [path, ...headers.map((line) => line.join(': ')), body].join('\n');
}

/** Every name leads to a public address. Nothing is resolved, because nothing is sent. */
const PUBLIC = { address: '1.1.1.1', family: 4 };

/** Answers requests to operations. @param useOfCreated what a token that was created during the run can be used for. */
function answererOf(
  { settings, plan, parts }: TransportInput,
  useOfCreated: (token: string) => OwnedUse | undefined,
  challenge: string,
): (operation: Operation, request: WireRequest) => RawAnswer {
  const { contract } = parts;
  const planned = new Map(plan.credentials.map(({ use, credential }) => [credential.token, use]));
  const read = requestReader(parts, (token) => planned.get(token) ?? useOfCreated(token));
  return (operation, request) => {
    const { dimensions, actAs, person: bound } = read(operation, request);
    const { values } = makeCase(contract, dimensions);
    const expectation = expect(contract, values);
    if (expectation.kind !== 'refuse') {
      const owner = ownerOf(settings.variables, contract, values.kind);
      const finds = actsAs(contract, values.kind) ? actAs : (bound ?? owner);
      const person = (mayAct(contract, values.kind) ? actAs : undefined) ?? owner;
      const shown = contract.identity?.operation === operation.id ? { ...contract.identity, person } : undefined;
      return acceptance(operation, markerFound(settings.variables, finds, request.body), shown);
    }
    const { code, message } = firstRefusal(expectation);
    const text = message === undefined ? '' : messageText(contract, message);
    return plain(code, code === 401 ? { 'www-authenticate': challenge } : {}, text);
  };
}

function firstRefusal({ admissible }: Expectation): { readonly code: number; readonly message: string | undefined } {
  const { status, message } = admissible[0]?.outcome ?? { status: 400 };
  const [first = 400] = [status].flat();
  return {
    code: typeof first === 'number' ? first : 400,
    message: Array.isArray(message) ? message[0] : undefined,
  };
}
