import { listed, type Override } from '../contract/written-contract.ts';
import {
  barredKinds,
  type Frame,
  formsOf,
  kindsThatAre,
  type LeftOpen,
  type Place,
  placeOf,
  scopesOf,
} from './places.ts';
import type { Fault } from './server/evaluator.ts';

/** A fault that an imagined server of a contract has. */
export interface Draft {
  /** What the server does. */
  readonly what: string;
  readonly breaks: string;
  /** A requirement that says the same in this contract. */
  readonly like?: string;
  readonly fault: Fault;
}
interface Broken {
  readonly id: string;
  readonly breaks: string;
  /** What a server does that ignores the rule. */
  readonly ignored: string;
  /** A status that the rule does not admit. */
  readonly wrong: number;
  readonly places: (frame: Frame) => readonly Place[];
}

const everywhere = (): readonly Place[] => [{}];
const where = (isSo: boolean): readonly Place[] => (isSo ? [{}] : []);

const REFUSALS: readonly Broken[] = [
  {
    id: 'authorization.absent',
    breaks: 'authorization.required',
    ignored: 'no token is needed',
    wrong: 500,
    places: everywhere,
  },
  {
    id: 'authorization.malformed',
    breaks: 'authorization.malformed',
    ignored: 'a token is taken in another form',
    wrong: 500,
    places: formsOf,
  },
  {
    id: 'token.unknown',
    breaks: 'token.unknown',
    ignored: 'a token that nobody issued is accepted',
    wrong: 404,
    places: everywhere,
  },
  {
    id: 'token.tampered',
    breaks: 'token.tampered',
    ignored: 'a token with a changed character is accepted',
    wrong: 404,
    places: (frame) => kindsThatAre(frame, 'tampered'),
  },
  {
    id: 'token.foreign',
    breaks: 'token.foreign',
    ignored: 'a token for another client is accepted',
    wrong: 404,
    places: (frame) => kindsThatAre(frame, 'foreign'),
  },
  {
    id: 'token.expired',
    breaks: 'token.expired',
    ignored: 'an expired token is accepted',
    wrong: 404,
    places: (frame) => kindsThatAre(frame, 'expired'),
  },
  {
    id: 'act-as.missing',
    breaks: 'act-as.missing',
    ignored: 'a request without the header for acting is accepted',
    wrong: 500,
    places: ({ written }) => where(written.acting?.is === 'required'),
  },
  {
    id: 'act-as.blank',
    breaks: 'act-as.missing',
    ignored: 'a blank name in the header for acting is accepted',
    wrong: 500,
    places: ({ written }) => where(written.acting?.is === 'required'),
  },
  {
    id: 'act-as.unknown',
    breaks: 'act-as.unknown',
    ignored: 'an unknown person is ignored',
    wrong: 500,
    places: ({ written }) => where(written.acting !== undefined),
  },
  {
    id: 'act-as.malformed',
    breaks: 'act-as.unknown',
    ignored: 'a name that is no email is ignored',
    wrong: 500,
    places: ({ written }) => where(written.acting !== undefined && (written.people ?? 'EMAIL') === 'EMAIL'),
  },
  {
    id: 'act-as.rights',
    breaks: 'act-as.rights',
    ignored: 'who acts as somebody keeps the rights of the token',
    wrong: 404,
    places: ({ written }) => listed(written.acting?.loses).map(placeOf),
  },
  { id: 'scope.missing', breaks: 'scope.{operation}', ignored: 'no scope is needed', wrong: 404, places: scopesOf },
  {
    id: 'reach.{operation}',
    breaks: 'reach.{operation}',
    ignored: 'a kind that may not use the operation reaches it',
    wrong: 404,
    places: barredKinds,
  },
  {
    id: 'body.invalid',
    breaks: '{operation}.request',
    ignored: 'a wrong or missing field of the body is accepted',
    wrong: 500,
    places: ({ operations }) => operations.filter(({ field }) => field).map(({ id }) => placeOf(id)),
  },
  {
    id: 'body.option',
    breaks: '{operation}.options',
    ignored: 'a mistyped optional field is accepted',
    wrong: 500,
    places: ({ operations }) => operations.filter(({ field, option }) => field && option).map(({ id }) => placeOf(id)),
  },
  {
    id: 'body.not-json',
    breaks: 'request.json',
    ignored: 'a body that is no JSON is accepted',
    wrong: 500,
    places: ({ operations }) => where(operations.some(({ field }) => field)),
  },
  {
    id: 'body.content-type',
    breaks: 'request.content-type',
    ignored: 'another content type is accepted',
    wrong: 500,
    places: ({ operations }) => where(operations.some(({ field }) => field)),
  },
];

/** Each refusal ignored, and answered with a wrong status. */
export function faultsOfRefusals(frame: Frame): readonly Draft[] {
  return REFUSALS.flatMap(({ id: rule, breaks: template, ignored, wrong, places }) =>
    places(frame).flatMap(({ operation = '', words, where: facts = {}, part }): readonly Draft[] => {
      const [id, breaks] = [rule, template].map((one) => one.replace('{operation}', operation)) as [string, string];
      const entry = frame.written.rules?.[id];
      if (entry?.silenced !== undefined) return [];
      const status = entry ? statusBeside(entry) : wrong;
      const named = (what: string) => [what, ...(words === undefined ? [] : [words])].join(', ');
      const skips = { what: named(part ?? ignored), breaks, fault: { at: id, does: 'skips', where: facts } } as const;
      const what = `${named(id)}: answered with ${status}`;
      return [
        ...(admitsSuccess(entry) ? [] : [skips]),
        ...(part === undefined ? [{ what, breaks, fault: { at: id, does: status, where: facts } }] : []),
      ];
    }),
  );
}

export function refusalsLeftOpen(frame: Frame): readonly LeftOpen[] {
  return REFUSALS.flatMap(({ id, breaks, places }) =>
    places(frame).flatMap(({ operation = '' }) => {
      const reason = frame.written.rules?.[id.replace('{operation}', operation)]?.silenced;
      return reason === undefined ? [] : [{ requirement: breaks.replace('{operation}', operation), reason }];
    }),
  );
}

/** Whether a contract says that what a rule is about succeeds. */
export const admitsSuccess = (entry: Override | undefined): boolean =>
  [entry?.expect ?? []].flat().some((one) => one === '2xx' || (typeof one === 'number' && one < 300));

/** A status that an entry of the contract does not admit. */
export function statusBeside({ expect }: Override): number {
  const admitted = [expect ?? []].flat();
  const fits = (status: number) => admitted.some((one) => one === status || one === `${Math.floor(status / 100)}xx`);
  return [404, 402, 500].find((status) => !fits(status)) ?? 500;
}
