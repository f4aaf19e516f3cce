import type { AdministrationAnswer, AdministrationRequest } from '../commands/administration.ts';
import { shownReason } from '../commands/shown-reason.ts';
import { type Contract, operationOf } from '../contract/contract.ts';
import { judgeAnswer } from '../judge/judge-answer.ts';
import { makeCase, neutralCase } from '../plan/case.ts';
import type { Credential } from '../plan/credentials.ts';
import { curlFor } from '../plan/curl.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import { buildRequest, type RequestParts, type WireRequest } from '../plan/request.ts';
import {
  type Failure,
  isAccepted,
  type Observer,
  observe,
  type RawAnswer,
  transportReason,
} from '../record/observation.ts';
import type { Redactor } from '../record/redact.ts';
import type { ChatBudget } from '../send/chat-budget.ts';
import type { Gate } from '../send/gate.ts';
import { pauseBeforeRetry } from '../send/retry.ts';
import type { Sender } from '../send/sender.ts';
import type { Transport } from '../send/transport.ts';
import type { Settings } from '../settings/settings.ts';
import type { Call, CheckAnswer, CheckApi } from './check.ts';

/** What stands for a secret that was made during the run. */
const MADE = 'a token of ADMINISTRATION_COMMAND';

/** What a check sends through and chooses from; a session has it all. */
export interface CheckWorld {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly settings: Settings;
  readonly gate: Gate;
  readonly chats: ChatBudget;
  readonly sender: Pick<Sender, 'record' | 'seen'>;
  readonly parts: RequestParts;
  readonly redactor: Redactor;
  readonly observer: Observer;
  readonly transport: Transport;
}

/** The api of one check run: one kept-alive connection, behind the session's gate and journal. */
export function createCheckApi(world: CheckWorld, check: string, seed: number): CheckApi & { close(): void } {
  const { contract, plan, settings, gate, chats, sender, parts, redactor, observer, transport } = world;
  const { baseUrl, variables, extraHeaders } = settings;
  const connection = transport.connect();
  const children: { close(): void }[] = [];

  const deliver = async (
    { operation, credential }: Partial<Pick<Call, 'operation' | 'credential'>>,
    once: () => Promise<RawAnswer | Failure>,
  ): Promise<CheckAnswer> => {
    for (let attempt = 0; ; attempt += 1) {
      const raw = await gate.pass(once);
      if (raw === undefined) return unsent(gate.closed ?? 'the gate is closed');
      const observation = 'kind' in raw ? raw : observe(observer, raw, operation);
      const recipe = credential?.recipe ?? (operation ? 'no token' : 'a raw request');
      sender.record({ case: check, role: 'check', credential: recipe, observation });
      // A raw request, the one without an operation, may go unanswered: that says nothing of the target's health.
      const silence = operation === undefined && observation.kind === 'failure';
      const pause = silence ? undefined : pauseBeforeRetry(gate, observation, attempt);
      const [text, headers] = 'kind' in raw ? ['', {}] : [raw.text, raw.headers];
      if (pause === undefined) return { observation, text, headers, accepted: isAccepted(observation) };
      await gate.wait(pause);
    }
  };

  const send = async (call: Pick<Call, 'operation' | 'credential'>, wire: WireRequest): Promise<CheckAnswer> => {
    const { operation } = call;
    const spent = chats.take(operation);
    if (spent !== undefined) return unsent(spent);
    const timeoutMs = operation.isSlow ? settings.chatTimeoutMs : settings.timeoutMs;
    const answer = await deliver(call, () => connection.exchange(wire, timeoutMs));
    chats.settle(operation, answer.accepted);
    return answer;
  };

  const administer = async (request: AdministrationRequest): Promise<AdministrationAnswer> => {
    const answer = await gate.pass(async () => transport.administer?.(request));
    if (answer === undefined) return { kind: 'failed', why: gate.closed ?? 'the gate is closed' };
    if (answer.kind !== 'done') return { ...answer, why: shownReason(redactor, answer.why) };
    if (answer.secret !== undefined) redactor.add(MADE, answer.secret);
    return answer;
  };

  const api: CheckApi & { close(): void } = {
    contract,
    plan,
    claims: settings.claims,
    people: parts.people,
    seed,
    trusted: settings.trusted,
    unknownToken: parts.unknownToken,
    variable: (name) => variables.get(name)?.value,
    full(kind) {
      const operation = contract.operations[0]?.id ?? '';
      return plan.cases.get(neutralCase(contract, operation, kind).id)?.credential;
    },
    derive(from, token, how): Credential {
      const recipe = `${from.recipe}, ${how}`;
      redactor.add(recipe, token);
      return { ...from, recipe, token };
    },
    administer: transport.administer && administer,
    made: (token, what) => ({ source: 'made', variable: MADE, recipe: what, shell: `<${what}>`, token }),
    call(call) {
      const { operation, credential, headers = [], method = operation.method, query = '' } = call;
      const body = 'body' in call ? call.body : operation.example;
      const authorization = call.authorization === undefined ? `Bearer ${credential?.token ?? ''}` : call.authorization;
      const lines: (readonly [string, string])[] =
        authorization === null ? [] : [[contract.matrix.headers.authorization.name, authorization]];
      lines.push(
        ...headers,
        ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
        ...parts.common,
      );
      return send(call, {
        method,
        path: operation.path + query,
        headers: lines,
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    },
    raw(text) {
      const { host, pathname } = new URL(baseUrl);
      const common = [['Host', host] as const, ...parts.common, ...extraHeaders].map((line) => line.join(': '));
      // By function, since a `$` in a replacement text means something.
      const filled = text
        .replaceAll('{base}', () => pathname.replace(/\/+$/, ''))
        .replaceAll('{common}', () => common.join('\r\n'));
      return deliver({}, () => transport.raw(filled, settings.timeoutMs));
    },
    visit(url, sent) {
      const type: (readonly [string, string])[] = sent ? [['Content-Type', sent.type]] : [];
      const wire: WireRequest = {
        method: sent ? 'POST' : 'GET',
        path: url.pathname + url.search,
        headers: [...type, ...parts.common],
        body: sent?.body,
      };
      return deliver({}, () => transport.visit(url.origin, wire, settings.timeoutMs));
    },
    async send(planned) {
      const operation = operationOf(contract, planned.values.operation);
      const wire = buildRequest(parts, planned.values, planned.credential?.token ?? '');
      const answer = await send({ operation, credential: planned.credential }, wire);
      const { observation } = answer;
      const judged = observation.kind === 'answer' && transportReason(observation) === undefined;
      const judgement = judged ? judgeAnswer(contract, operation, planned.expectation, observation) : undefined;
      return { answer, judgement: judgement?.kind === 'undecided' ? undefined : judgement };
    },
    seen: ({ id }) => sender.seen(id),
    planned(operation, kind, values) {
      return plan.cases.get(makeCase(contract, { ...neutralCase(contract, operation, kind).values, ...values }).id);
    },
    connect() {
      const child = createCheckApi(world, check, seed);
      children.push(child);
      return child;
    },
    curl: (planned: PlannedCase) => curlFor(parts, settings, planned),
    close() {
      connection.close();
      for (const child of children) child.close();
    },
  };
  return api;
}

function unsent(reason: string): CheckAnswer {
  return {
    observation: { kind: 'failure', failure: 'other', detail: `not sent: ${reason}` },
    text: '',
    headers: {},
    accepted: false,
  };
}
