import type { Acceptance, Answered } from '../../harness/checks/acceptance.ts';
import type { Aim, Call, CheckAnswer, CheckApi, Judged } from '../../harness/checks/check.ts';
import { operationOf } from '../../harness/contract/contract.ts';
import type { VariationRow } from '../../harness/contract/variations.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { contract } from '../../harness/testing/contract.ts';
import { answer, reset } from '../../harness/testing/small-world.ts';
import { type Caller, callerOf } from '../checks/shared/caller.ts';
import { kindHeaders } from '../checks/shared/refusals.ts';
import { type Variation, variationsOf } from '../variations/variation.ts';

/** What a target in memory answers: `table` is a 2xx in another form; `shows` has the private document of ACT_AS; or a text. */
export type Reply = 'accepts' | 'shows' | Said | keyof typeof OTHERS;
interface Said extends Partial<Pick<CheckAnswer, 'headers'>> {
  readonly says: string;
  /** The variables of the private texts in it. */
  readonly markers?: readonly string[];
}

export const search = operationOf(contract, 'search');
export const chat = operationOf(contract, 'chat');

/** One way to ask otherwise. By default a header. */
export const variation = (name: string, row: Partial<VariationRow> = {}): Variation => {
  const given = { kind: 'header', about: 'a test', source: 'rfc-9110', telling: 1, values: ['1'] } as const;
  const [one] = variationsOf({ ...given, name, ...row }, {});
  if (!one) throw new Error('a row has a variation');
  return one;
};

export interface Engine {
  readonly api: CheckApi;
  /** What was sent: the line of the token, the other headers, the query, the body and the path, as a text. */
  readonly sent: readonly string[];
  /** What each of these was to show, after what was wanted. */
  readonly aims: readonly string[];
}

/**
 * An API for checks over a target in memory, so that the engine is tested without a server.
 * @param reply what the target answers to the text of a request.
 */
export function engine(reply: (request: string) => Reply, changes: Partial<CheckApi> = {}): Engine {
  const [sent, aims]: [string[], string[]] = [[], []];
  const apiWith = (steps: Answered[]): CheckApi => {
    const ask = async ({ operation, shows, wanted }: Pick<Call, 'operation' | keyof Aim>, request: string) => {
      sent.push(request);
      aims.push(`${wanted}: ${shows}`);
      const got = answerFor(reply(request), operation, sent.length);
      steps.push(got);
      return got;
    };
    const call = (request: Call) => {
      const { operation, authorization, credential, headers, query, body, method = 'POST' } = request;
      const token = authorization === undefined ? (credential ? `Bearer ${credential.token}` : null) : authorization;
      return ask(request, JSON.stringify([method, token, headers, query, body ?? operation.example, operation.path]));
    };
    const api: Partial<CheckApi> = {
      ...{ contract, breadth: 'whole', people: PEOPLE, unknownToken: 'nobody-issued-this', steps, trusted: false },
      claims: { kinds: ['USER', 'GLOBAL'], capabilities: [] } as unknown as CheckApi['claims'],
      variable: (name) => (name.endsWith('_EMAIL') ? PEOPLE.actAs : `the value of ${name}`),
      full: (kind) => planned('search', kind).credential,
      planned: (operation, kind) => planned(operation, kind),
      barred: () => undefined,
      given: (token, what) => ({ source: 'made', variable: what, recipe: what, shell: `<${what}>`, token }),
      seen: () => undefined,
      acceptance: async ({ accepted, seq }) => (accepted && seq !== undefined ? acceptance(seq) : undefined),
      call,
      callOnce: call,
      raw: (request) => ask(request, request.text),
      async send({ values, credential }, shows): Promise<Judged> {
        const operation = operationOf(contract, values.operation);
        const headers = kindHeaders(api as CheckApi, values.kind);
        return {
          answer: await call({ operation, credential, headers, shows, wanted: 'either' }),
          judgement: undefined,
        };
      },
      fork: () => apiWith([]),
      spread: () => apiWith([]),
      connect: () => apiWith(steps),
      ...changes,
    };
    return api as CheckApi;
  };
  return { api: apiWith([]), sent, aims };
}

const PEOPLE = {
  actAs: 'mei@people.example',
  user: 'uma@people.example',
  nobody: 'nobody@people.example',
  nobodyElsewhere: 'nobody@elsewhere.example',
  former: undefined,
};

function planned(operation: string, kind: string): PlannedCase {
  const variable = `${kind}_TOKEN`;
  const credential = {
    source: 'variable',
    variable,
    recipe: `$${variable}`,
    shell: `$${variable}`,
    token: `full-${kind}`,
  };
  return { id: `${operation}/${kind}`, values: { operation, kind }, credential } as unknown as PlannedCase;
}

/** The acceptance at this place in the journal. */
export const acceptance = (seq: number) => ({ seq }) as unknown as Acceptance;

const OTHERS = {
  lost: reset,
  refuses: answer(401, 'No.'),
  fails: answer(500, 'Oops.'),
  page: answer(200, '<p>Welcome</p>', { 'content-type': 'text/html' }),
  table: answer(200, 'title;url', { 'content-type': 'text/csv' }),
};
const isOther = (reply: Reply): reply is keyof typeof OTHERS => typeof reply === 'string' && reply in OTHERS;

function answerFor(reply: Reply, operation: Call['operation'], seq: number): CheckAnswer {
  const accepted = typeof reply === 'object' || reply === 'accepts' || reply === 'shows';
  const said: Said = typeof reply === 'object' ? reply : { says: '' };
  const { says: text, headers = {}, markers = reply === 'shows' ? ['ACT_AS_PRIVATE_MARKER'] : [] } = said;
  const found = markers.length > 0 && { markers };
  const body = { kind: 'answer', form: 'json', whole: [], embedded: [], schemaErrors: [], skeleton: '{}' } as const;
  const observation = isOther(reply)
    ? OTHERS[reply]
    : { ...body, status: 200, contentType: 'application/json', ...found };
  return { observation, seq, step: undefined, operation, accepted, text, headers };
}

/** A caller with the USER token, of a target that answers requests with that token as `reply` says; by default it accepts. */
export async function calling(
  reply: (request: string) => Reply | undefined,
  {
    operation = search,
    seen,
    ...more
  }: Partial<Pick<Caller, 'operation' | 'stranger'>> & { readonly seen?: CheckAnswer | undefined } = {},
) {
  const { api, sent, aims } = engine(
    (request) => reply(request) ?? (request.includes('full-USER') ? 'accepts' : 'refuses'),
    { seen: ({ id }) => (id === 'unsent' ? seen : undefined) },
  );
  const caller = await callerOf(api, { operation, kind: 'USER', ...more });
  if (!caller) throw new Error('the kind has a token');
  return { caller, sent, aims };
}

/** Whether a request has all of these texts. */
export const has = (request: string, ...texts: readonly (string | undefined)[]): boolean =>
  texts.every((text) => text !== undefined && request.includes(text));
