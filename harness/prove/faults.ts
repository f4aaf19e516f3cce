import type { StatusPattern } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import { identityIn, listed, scopesIn, type WrittenContract } from '../contract/written-contract.ts';
import type { Fault } from './server/evaluator.ts';

/** A fault that an imagined server of a contract has, and the requirement that it breaks. */
export interface Draft {
  readonly what: string;
  readonly breaks: string;
  readonly fault: Fault;
}
/** A rule that no server breaks, because its author left it open. */
export interface LeftOpen {
  readonly rule: string;
  readonly reason: string;
}

/** What a contract says, as far as faults follow from it. No rule is read: a mistake in one must not hide its fault. */
interface Frame {
  readonly written: WrittenContract;
  readonly operations: readonly Operation[];
}
type Where = NonNullable<Fault['where']>;
/** Where a rule is broken: once for each form, kind or operation that it is about. */
interface Place {
  readonly operation?: string;
  readonly words?: string;
  readonly where?: Where;
  /** What a server does that ignores the rule here, where it refuses only a part. */
  readonly part?: string;
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

/** Every fault of the model that a contract can show: each rule ignored or answered wrongly, each acceptance refused. */
export function faultsOf(frame: Frame): readonly Draft[] {
  return [
    ...REFUSALS.flatMap((broken) => ofRefusal(frame, broken)),
    ...ofWhatIsOpen(frame),
    ...ofAcceptances(frame),
    ...ofPeople(frame),
    ...ofAnswers(frame),
  ];
}

/** The rules that the author of a contract left open. */
export function leftOpenIn({ rules = {} }: WrittenContract): readonly LeftOpen[] {
  return Object.entries(rules).flatMap(([rule, { silenced }]) =>
    silenced === undefined ? [] : [{ rule, reason: silenced }],
  );
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
    ignored: 'only the beginning of a token counts',
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
    ignored: 'a request need not name whom it acts as',
    wrong: 500,
    places: ({ written }) => where(written.acting?.is === 'required'),
  },
  {
    id: 'act-as.blank',
    breaks: 'act-as.missing',
    ignored: 'a blank name of whom it acts as is accepted',
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

function ofRefusal(frame: Frame, { id, breaks: template, ignored, wrong, places }: Broken): readonly Draft[] {
  const entry = frame.written.rules?.[id];
  if (entry?.silenced !== undefined) return [];
  const status = entry ? statusBeside([entry.expect].flat()) : wrong;
  return places(frame).flatMap(({ operation = '', words, where: facts = {}, part }): readonly Draft[] => {
    const breaks = template.replace('{operation}', operation);
    const named = (what: string) => [what, ...(words === undefined ? [] : [words])].join(', ');
    const skips = { what: named(part ?? ignored), breaks, fault: { at: id, does: 'skips', where: facts } } as const;
    if (part !== undefined) return [skips];
    return [
      skips,
      { what: `${named(id)}: answered with ${status}`, breaks, fault: { at: id, does: status, where: facts } },
    ];
  });
}

const placeOf = (operation: string): Place => ({ operation, words: operation, where: { operation } });

/** A status that an entry of the contract does not admit. */
function statusBeside(admitted: readonly StatusPattern[]): number {
  const fits = (status: number) => admitted.some((one) => one === status || one === `${Math.floor(status / 100)}xx`);
  return [404, 402, 500].find((status) => !fits(status)) ?? 500;
}

/** A header can have a word before the token. Then a token can lack it, or have another. */
function formsOf({ written: { credential } }: Frame): readonly Place[] {
  const scheme = typeof credential === 'string' ? / ?([^\s:]+) \{token\}$/.exec(credential)?.[1] : undefined;
  return [
    { words: 'the form without a token', where: { form: 'empty' } },
    ...(scheme === undefined ? [] : [{ words: 'a token alone', where: { form: 'no-scheme' } } as const]),
    ...(scheme === undefined || scheme === 'Basic'
      ? []
      : [{ words: 'a token with another scheme', where: { form: 'other-scheme' } } as const]),
  ];
}

const VALIDITIES: readonly string[] = ['valid', 'future-expiry', 'expired', 'tampered'];
const HOLDINGS: readonly string[] = ['all', 'none', 'single', 'all-but'];

function kindsThatAre({ written }: Frame, validity: string): readonly Place[] {
  return Object.entries(written.kinds)
    .filter(([, { validities = VALIDITIES, never = {} }]) => validities.includes(validity) && !(validity in never))
    .map(([kind]) => ({ words: kind, where: { kind } }));
}

/** Whether some kind has tokens with this holding. */
function hasHolding({ written }: Frame, holding: string): boolean {
  return Object.values(written.kinds).some(
    ({ holdings = HOLDINGS, never = {} }) => holdings.includes(holding) && !(holding in never),
  );
}

/** Each operation without any scope that it needs, and without one of them, if there are tokens to show that. */
function scopesOf(frame: Frame): readonly Place[] {
  const { written } = frame;
  const isOnly = scopesIn(written).length === 1;
  const [hasNone, hasSingle, hasAllBut] = ['none', 'single', 'all-but'].map((one) => hasHolding(frame, one));
  return Object.entries(written.operations).flatMap(([operation, one]): readonly Place[] => {
    const needs = listed(one.needs);
    if (needs.length === 0 || !(hasNone || (!isOnly && (hasSingle || hasAllBut)))) return [];
    const alone = needs.length > 1 && (hasAllBut || (hasSingle && needs.length === 2)) ? needs : [];
    return [
      placeOf(operation),
      ...alone.map((scope) => ({
        operation,
        part: `the scope ${scope} is not needed, ${operation}`,
        where: { operation, lacks: scope },
      })),
    ];
  });
}

/** What the contract leaves open may be answered with anything but a server error. */
function ofWhatIsOpen({ written }: Frame): readonly Draft[] {
  const { acting, credential, kinds } = written;
  const others = Object.keys(kinds).filter((kind) => !listed(acting?.by).includes(kind));
  const rows: readonly (readonly [rule: string, breaks: string, isSo: boolean, what: string])[] = [
    ['authorization.form', 'authorization.form', typeof credential === 'string', 'blanks around a token'],
    ['authorization.doubled', 'authorization.doubled', true, 'two tokens'],
    ['act-as.left-blank', 'act-as.blank', acting?.is === 'optional', 'a blank name of whom it acts as'],
    ['act-as.doubled', 'act-as.doubled', acting !== undefined, 'two names of whom it acts as'],
    ['act-as.not-needed', 'act-as.not-needed', acting !== undefined && others.length > 0, 'a name without effect'],
  ];
  return rows.flatMap(([at, breaks, isSo, what]) =>
    isSo && written.rules?.[at] === undefined
      ? [{ what: `${what}: answered with 500`, breaks, fault: { at, does: 500 } }]
      : [],
  );
}

function ofAcceptances(frame: Frame): readonly Draft[] {
  const { written, operations } = frame;
  const refused = (what: string, breaks: string, does: number, facts: Where): Draft => ({
    what,
    breaks,
    fault: { at: 'accepted', does, where: facts },
  });
  const isByHeader = typeof written.credential === 'string' || written.acting !== undefined;
  const isSplit = scopesIn(written).length > 1 && ['single', 'all-but'].some((one) => hasHolding(frame, one));
  return [
    ...(isByHeader ? (['lower', 'upper'] as const) : []).map((letters) =>
      refused(`header names in ${letters} case are not known`, 'headers.case', 400, { letters }),
    ),
    ...Object.keys(written.kinds).map((kind) =>
      refused(`tokens of the kind ${kind} are refused`, `kind.${kind.toLowerCase().replaceAll('_', '-')}`, 401, {
        kind,
      }),
    ),
    ...operations.map(({ id }) => refused(`everybody is refused, ${id}`, `${id}.success`, 404, { operation: id })),
    ...(isSplit ? [refused('a token needs every scope', 'scope.sole', 403, { holds: 'some scopes' })] : []),
    ...kindsThatAre(frame, 'future-expiry').map(({ words = '' }) =>
      refused(`a token with an expiry to come is refused, ${words}`, 'token.unexpired', 401, {
        kind: words,
        state: 'future-expiry',
      }),
    ),
    ...(written.acting?.is === 'optional'
      ? [refused('nobody may act as somebody', 'act-as.accepted', 403, { acts: 'may', named: 'person' })]
      : []),
  ];
}

/** Whom requests run as, if an operation shows that. */
function ofPeople({ written }: Frame): readonly Draft[] {
  const { acting, kinds } = written;
  if (!identityIn(written)) return [];
  const others = Object.keys(kinds).filter((kind) => !listed(acting?.by).includes(kind));
  const drafts: readonly (Draft & { readonly isSo: boolean })[] = [
    {
      what: 'acting is ignored',
      breaks: 'act-as.effective',
      fault: { at: 'person', does: 'as owner' },
      isSo: acting !== undefined,
    },
    {
      what: 'anybody may act as somebody',
      breaks: 'act-as.no-escalation',
      fault: { at: 'person', does: 'as named', where: { acts: 'never', named: 'person' } },
      isSo: acting !== undefined && others.length > 0,
    },
    {
      what: 'a request runs as somebody else',
      breaks: 'identity.own',
      fault: { at: 'person', does: 'as another', where: { named: 'nobody' } },
      isSo: acting?.is !== 'required' || others.length > 0,
    },
  ];
  return drafts.filter(({ isSo }) => isSo).map(({ isSo: _isSo, ...draft }) => draft);
}

/** How answers are written. */
function ofAnswers({ written, operations }: Frame): readonly Draft[] {
  const documented = operations.filter(({ documentsBody }) => documentsBody);
  const skipping = (what: string, breaks: string, at: string, facts: Where = {}): Draft => ({
    what,
    breaks,
    fault: { at, does: 'skips', where: facts },
  });
  const isBearer = written.credential === 'Authorization: Bearer {token}';
  return [
    ...operations.map(({ id, documentsBody }) =>
      skipping(`another status, ${id}`, documentsBody ? `${id}.success` : `${id}.response`, 'status', {
        operation: id,
      }),
    ),
    ...documented.map(({ id }) => skipping(`another body, ${id}`, `${id}.response`, 'body', { operation: id })),
    ...(documented.length > 0 ? [skipping('a body is declared as HTML', 'response.content-type', 'type')] : []),
    ...(isBearer
      ? [
          skipping('a 401 has no challenge', 'rfc.challenge', 'challenge'),
          skipping('a token in the query is accepted', 'rfc.query-token', 'query'),
          skipping('a token in the body is accepted', 'rfc.body-token', 'body-token'),
        ]
      : []),
    skipping('a 405 does not say which methods there are', 'rfc.allow', 'allow'),
    skipping('answers may be stored by a shared cache', 'rfc.no-store', 'no-store'),
    skipping('a refusal repeats the token', 'rfc.secret-echo', 'echo'),
  ];
}
