import request from 'supertest';
import { type Contract, type Dimension, operationOf } from '../../harness/contract/contract.ts';
import { judgeAnswer } from '../../harness/judge/judge-answer.ts';
import type { Judgement } from '../../harness/judge/miss.ts';
import { describeWanted } from '../../harness/judge/miss.ts';
import { type Case, makeCase, neutralCase, textOfLack, valuesOf } from '../../harness/plan/case.ts';
import { curlFor } from '../../harness/plan/curl.ts';
import { expect as expectationOf } from '../../harness/plan/expectation.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { buildRequest } from '../../harness/plan/request.ts';
import { observe } from '../../harness/record/observation.ts';
import type { Session } from '../../harness/run/session.ts';
import { createPatience } from '../../harness/send/patience.ts';
import { sendUntilAnswered } from '../../harness/send/retry.ts';

/**
 * What a row changes in a request that is otherwise right. What the answer must be comes from specs/, as do the names of
 * the headers in braces.
 */
const CHANGES: readonly (readonly [how: string, change: Readonly<Record<Dimension, string>>])[] = [
  ['with everything that it needs', {}],
  ['before its expiry', { validity: 'future-expiry' }],
  ['after its expiry', { validity: 'expired' }],
  ['without the scope', { holding: 'none' }],
  ['without {act-as}', { 'act-as': 'absent' }],
  ['with nobody in {act-as}', { 'act-as': 'unknown' }],
  ['without {auth-type}', { 'auth-type': 'absent' }],
];

/** What the kinds without an issued token send. */
const TOKEN_OF: Readonly<Record<string, string>> = { none: 'no token,', unknown: 'an unknown token' };

/** A documented row: a request, and the only answer that the contract admits. */
export interface Row {
  readonly title: string;
  readonly case: Case;
  /** The request. Undefined if a variable is missing. */
  readonly planned: PlannedCase | undefined;
  /** What is missing to send it, and whether a claim needs it. */
  readonly lack?: { readonly text: string; readonly isRequired: boolean };
}

/** The rows for the claimed kinds. A row that the specification leaves open is none. */
export function documentedRows({ contract, plan }: Session): readonly Row[] {
  const undecidable = new Map(plan.undecidable.map((one) => [one.case.id, one]));
  return contract.operations.flatMap((operation) =>
    Object.entries(contract.matrix.kinds).flatMap(([name, kind]) => {
      const neutral = neutralCase(contract, operation.id, name);
      const seen = new Set<string>();
      return CHANGES.flatMap(([how, change]): Row[] => {
        const found = makeCase(contract, { ...neutral.values, ...change });
        const exists = Object.entries(change).every(([dimension, value]) =>
          valuesOf(contract, operation, kind, dimension).includes(value),
        );
        const expectation = expectationOf(contract, found.values);
        if (!exists || expectation.kind === 'open' || seen.has(found.id)) return [];
        seen.add(found.id);
        const planned = plan.find(found.id);
        const missing = undecidable.get(found.id);
        if (!planned && (!missing || missing.status === 'not-applicable')) return [];
        const wanted = describeWanted(contract, expectation, operation);
        return [
          {
            title: `${TOKEN_OF[name] ?? `a ${name} token`} ${named(contract, how)}: ${wanted}`,
            case: found,
            planned,
            ...(missing && {
              lack: { text: textOfLack(missing.lack), isRequired: missing.status === 'not-testable' },
            }),
          },
        ];
      });
    }),
  );
}

function named({ matrix: { headers } }: Contract, how: string): string {
  return Object.entries(headers).reduce((text, [dimension, { name }]) => text.replace(`{${dimension}}`, name), how);
}

/** Sends the request of a row with supertest, through the gate of the session. Undefined if the gate is closed. */
export async function askRow(session: Session, planned: PlannedCase): Promise<Judgement | undefined> {
  const { contract, settings, parts, redactor, gate } = session;
  const operation = operationOf(contract, planned.values.operation);
  const { method, path, headers, body } = buildRequest(parts, planned.values, planned.credential?.token ?? '');
  const patience = createPatience(settings);
  const observer = { messages: contract.rules.messages, redactor, markers: [] };
  const once = (isAlone: boolean) => {
    const send = async () => {
      const test = new request.Test(settings.baseUrl, method, path)
        .redirects(0)
        .timeout(patience.waitMs(operation))
        .ok(() => true);
      for (const [name, value] of [...headers, ...settings.extraHeaders]) test.set(name, value);
      const { status, headers: got, text = '' } = await (body === undefined ? test : test.send(body));
      return { observation: observe(observer, { status, headers: got, text, truncated: false }, operation) };
    };
    return gate.pass(send, undefined, isAlone);
  };
  const sending = { operation, name: planned.id, once, optionsOf: () => ({}) };
  const answered = await sendUntilAnswered({ gate, patience, isAnswering: async () => false }, sending);
  return answered && judgeAnswer(contract, operation, planned.expectation, answered.observation);
}

/** A wrong answer to a row, in lines for a test report. */
export function describeJudgement(session: Session, planned: PlannedCase, judgement: Judgement | undefined): string {
  const { parts, settings, redactor, gate } = session;
  if (judgement?.kind !== 'miss') return `${planned.id}\n  no answer decides it: ${gate.closed ?? 'the body was cut'}`;
  const requirements = new Set(judgement.suspects.map(({ requirement }) => requirement));
  return [
    `requirement  ${[...requirements].join(', ')}`,
    `condition    ${planned.id}`,
    `wanted       ${judgement.wanted}`,
    `got          ${redactor.text(judgement.got)}`,
    `reproduce    ${redactor.text(curlFor(parts, settings, planned))}`,
  ].join('\n');
}
