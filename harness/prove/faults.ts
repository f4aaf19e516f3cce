import { given } from '../contract/collections.ts';
import { barredFrom, identityIn, listed } from '../contract/written-contract.ts';
import { misfitOf, unwantedOf } from './imagined-server.ts';
import { type Frame, heldAt, kindsThatAre, type LeftOpen, type Where } from './places.ts';
import { admitsSuccess, type Draft, faultsOfRefusals, refusalsLeftOpen, statusBeside } from './refusals.ts';

/** Every fault of the model that a contract can show: each rule ignored or answered wrongly, each acceptance refused. */
export function faultsOf(frame: Frame): readonly Draft[] {
  return [
    ...faultsOfRefusals(frame),
    ...openRows(frame).flatMap((row) => ofOpenRow(frame, row)),
    ...ofAcceptances(frame),
    ...ofPeople(frame),
    ...ofAnswers(frame),
  ];
}

export function leftOpenIn(frame: Frame): readonly LeftOpen[] {
  const ofOpen = openRows(frame).flatMap(([at, breaks]) => {
    const reason = frame.written.rules?.[at]?.silenced;
    return reason === undefined ? [] : [{ name: breaks, reason }];
  });
  const isRefused = frame.written.rules?.['act-as.not-needed']?.expect !== undefined;
  const ofRefused = { name: 'act-as.no-escalation', reason: 'the contract refuses the name (act-as.not-needed)' };
  const ofBodies = frame.operations
    .filter(({ documentsBody, success }) => documentsBody && misfitOf(success) === undefined)
    .map(({ id }) => ({ name: `${id}.response`, reason: 'the OpenAPI document admits any body' }));
  return [...refusalsLeftOpen(frame), ...ofOpen, ...(isRefused ? [ofRefused] : []), ...ofBodies];
}

type OpenRow = readonly [at: string, breaks: string, what: string];
/** What every contract leaves open, unless it says otherwise. */
function openRows({ written: { acting, credential, kinds } }: Frame): readonly OpenRow[] {
  const isIgnored = acting !== undefined && Object.keys(kinds).some((kind) => !listed(acting.by).includes(kind));
  return given<OpenRow>([
    typeof credential === 'string' && ['authorization.form', 'authorization.form', 'blanks around a token'],
    ['authorization.doubled', 'authorization.doubled', 'two tokens'],
    (acting?.is === 'optional' || isIgnored) && [
      'act-as.left-blank',
      'act-as.blank',
      'a blank name in the header for acting',
    ],
    acting && ['act-as.doubled', 'act-as.doubled', 'two names in the header for acting'],
    isIgnored && ['act-as.not-needed', 'act-as.not-needed', 'a name that has no effect'],
  ]);
}

/** What is left open may be answered with anything but a server error. A contract can decide it. */
function ofOpenRow({ written }: Frame, [at, breaks, what]: OpenRow): readonly Draft[] {
  const entry = written.rules?.[at];
  if (entry?.silenced !== undefined) return [];
  const status = entry ? statusBeside(entry) : 500;
  return [
    { what: `${what}: answered with ${status}`, breaks, fault: { at, does: status } },
    ...(entry === undefined || admitsSuccess(entry)
      ? []
      : [{ what: `${what}: accepted`, breaks, fault: { at, does: 'skips' } } as const]),
  ];
}

function ofAcceptances(frame: Frame): readonly Draft[] {
  const { written, operations } = frame;
  const refused = (what: string, breaks: string, does: number, facts: Where): Draft => ({
    what,
    breaks,
    fault: { at: 'accepted', does, where: facts },
  });
  const kinds = Object.keys(written.kinds);
  const reaching = (id: string) => kinds.filter((kind) => !barredFrom(written, id).includes(kind));
  const requirementOf = (one: string) => `kind.${one.toLowerCase().replaceAll('_', '-')}`;
  const isByHeader = typeof written.credential === 'string' || written.acting !== undefined;
  const isPart = ({ name, lacks }: ReturnType<typeof heldAt>[number]) => name.includes(':') && lacks.length === 0;
  const isSplit = operations.some(({ id }) => heldAt(frame, id).some(isPart));
  return given<Draft>([
    ...(isByHeader ? (['lower', 'upper'] as const) : []).map((letters) =>
      refused(`header names in ${letters} case are not known`, 'headers.case', 400, { letters }),
    ),
    ...kinds.map((kind) => refused(`tokens of the kind ${kind} are refused`, requirementOf(kind), 401, { kind })),
    // If one kind of token reaches an operation, its acceptance is that of the operation.
    ...operations.map(({ id }) => ({
      ...refused(`everybody is refused, ${id}`, `${id}.success`, 404, { operation: id }),
      ...(reaching(id).length === 1 && { like: requirementOf(reaching(id)[0] ?? '') }),
    })),
    isSplit && refused('a token needs every scope', 'scope.sole', 403, { holds: 'some scopes' }),
    ...kindsThatAre(frame, 'future-expiry').map(({ words = '' }) =>
      refused(`a token with an expiry to come is refused, ${words}`, 'token.unexpired', 401, {
        kind: words,
        state: 'future-expiry',
      }),
    ),
    written.acting?.is === 'optional' &&
      refused('nobody may act as somebody', 'act-as.accepted', 403, { acts: 'may', named: 'person' }),
  ]);
}

/** Whom requests run as, if an operation shows that. */
function ofPeople({ written }: Frame): readonly Draft[] {
  const { acting, kinds } = written;
  if (!identityIn(written)) return [];
  const refused = written.rules?.['act-as.not-needed'];
  const others = Object.keys(kinds).filter((kind) => !listed(acting?.by).includes(kind));
  const mayEscalate = refused?.expect === undefined || admitsSuccess(refused);
  return given<Draft>([
    acting && { what: 'acting is ignored', breaks: 'act-as.effective', fault: { at: 'person', does: 'as owner' } },
    acting &&
      others.length > 0 &&
      mayEscalate && {
        what: 'anybody may act as somebody',
        breaks: 'act-as.no-escalation',
        fault: { at: 'person', does: 'as named', where: { acts: 'never', named: 'person' } },
      },
    (acting?.is !== 'required' || others.length > 0) && {
      what: 'a request runs as somebody else',
      breaks: 'identity.own',
      fault: { at: 'person', does: 'as another', where: { named: 'nobody' } },
    },
  ]);
}

/** How answers are written. */
function ofAnswers({ written, operations }: Frame): readonly Draft[] {
  const documented = operations.filter(({ documentsBody }) => documentsBody);
  const described = documented.filter(({ success }) => misfitOf(success) !== undefined);
  const skipping = (what: string, breaks: string, at: string, facts: Where = {}): Draft => ({
    what,
    breaks,
    fault: { at, does: 'skips', where: facts },
  });
  const isBearer = written.credential === 'Authorization: Bearer {token}';
  return given<Draft>([
    ...operations
      .filter(({ success }) => unwantedOf(success) !== undefined)
      .map(({ id, documentsBody }) =>
        skipping(`another status, ${id}`, documentsBody ? `${id}.success` : `${id}.response`, 'status', {
          operation: id,
        }),
      ),
    ...described.map(({ id }) => skipping(`another body, ${id}`, `${id}.response`, 'misfit', { operation: id })),
    documented.length > 0 && skipping('a body is declared as HTML', 'response.content-type', 'type'),
    ...(isBearer
      ? [
          skipping('a 401 has no challenge', 'rfc.challenge', 'challenge'),
          skipping('a token in the query is accepted', 'rfc.query-token', 'query'),
          skipping('a token in the body is accepted', 'rfc.body-token', 'body'),
        ]
      : []),
    typeof written.credential === 'string' &&
      skipping('the header of the token has one spelling', 'headers.case', 'exact names'),
    skipping('a 405 does not say which methods there are', 'rfc.allow', 'allow'),
    skipping('answers may be stored by a shared cache', 'rfc.no-store', 'no-store'),
    skipping('a refusal repeats the token', 'rfc.secret-echo', 'echo'),
  ]);
}
