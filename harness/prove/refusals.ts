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
/** A rule: what a server does that ignores it, a status that it does not admit, and where it is broken. */
type Broken = readonly [
  id: string,
  breaks: string,
  ignored: string,
  wrong: number,
  places: (frame: Frame) => readonly Place[],
];

const everywhere = (): readonly Place[] => [{}];
const where = (isSo: boolean): readonly Place[] => (isSo ? [{}] : []);
const mustAct = ({ written }: Frame) => where(written.acting?.is === 'required');
const mayAct = ({ written }: Frame) => where(written.acting !== undefined);
const namesEmails = ({ written }: Frame) =>
  where(written.acting !== undefined && (written.people ?? 'EMAIL') === 'EMAIL');
const takesBody = ({ operations }: Frame) => where(operations.some(({ field }) => field));
const tokens = (validity: string) => (frame: Frame) => kindsThatAre(frame, validity);
const lost = ({ written }: Frame) => listed(written.acting?.loses).map(placeOf);
const fields = ({ operations }: Frame) => operations.filter(({ field }) => field).map(({ id }) => placeOf(id));
const options = ({ operations }: Frame) =>
  operations.filter(({ field, option }) => field && option).map(({ id }) => placeOf(id));

const REFUSALS: readonly Broken[] = [
  ['authorization.absent', 'authorization.required', 'no token is needed', 500, everywhere],
  ['authorization.malformed', 'authorization.malformed', 'a token is taken in another form', 500, formsOf],
  ['token.unknown', 'token.unknown', 'a token that nobody issued is accepted', 404, everywhere],
  ['token.tampered', 'token.tampered', 'a token with a changed character is accepted', 404, tokens('tampered')],
  ['token.foreign', 'token.foreign', 'a token for another client is accepted', 404, tokens('foreign')],
  ['token.expired', 'token.expired', 'an expired token is accepted', 404, tokens('expired')],
  ['act-as.missing', 'act-as.missing', 'a request without the header for acting is accepted', 500, mustAct],
  ['act-as.blank', 'act-as.missing', 'a blank name in the header for acting is accepted', 500, mustAct],
  ['act-as.unknown', 'act-as.unknown', 'an unknown person is ignored', 500, mayAct],
  ['act-as.malformed', 'act-as.unknown', 'a name that is no email is ignored', 500, namesEmails],
  ['act-as.rights', 'act-as.rights', 'who acts as somebody keeps the rights of the token', 404, lost],
  ['scope.missing', 'scope.{operation}', 'no scope is needed', 404, scopesOf],
  ['reach.{operation}', 'reach.{operation}', 'a kind that may not use the operation reaches it', 404, barredKinds],
  ['body.invalid', '{operation}.request', 'a wrong or missing field of the body is accepted', 500, fields],
  ['body.option', '{operation}.options', 'a mistyped optional field is accepted', 500, options],
  ['body.not-json', 'request.json', 'a body that is no JSON is accepted', 500, takesBody],
  ['body.content-type', 'request.content-type', 'another content type is accepted', 500, takesBody],
];

/** Each refusal ignored, and answered with a wrong status. */
export function faultsOfRefusals(frame: Frame): readonly Draft[] {
  return REFUSALS.flatMap(([rule, template, ignored, wrong, places]) =>
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
  return REFUSALS.flatMap(([id, breaks, , , places]) =>
    places(frame).flatMap(({ operation = '' }) => {
      const reason = frame.written.rules?.[id.replace('{operation}', operation)]?.silenced;
      return reason === undefined ? [] : [{ name: breaks.replace('{operation}', operation), reason }];
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
