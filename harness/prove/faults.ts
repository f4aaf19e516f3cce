import { ACT_AS, type Contract, type Level, type Rule, requirementFor, type StatusPattern } from '../contract/contract.ts';
import type { Fault } from './server/evaluator.ts';
import type { Facts } from './server/facts.ts';

/** A fault that an imagined server of a contract has, and the requirement that it breaks. */
export interface Planted {
  readonly what: string;
  readonly breaks: string;
  readonly level: Level;
  readonly fault: Fault;
}
/** A requirement that no fault breaks, because this contract cannot show it. */
export interface NotPlanted {
  readonly requirement: string;
  readonly reason: string;
}

type Where = NonNullable<Fault['where']>;
type Draft = Omit<Planted, 'level'>;

/** Every fault of the model that a contract can show: each rule ignored or answered wrongly, each acceptance refused. */
export function faultsOf(contract: Contract): readonly Planted[] {
  const decided = new Map(contract.requirements.map((one) => [one.id, one.excluded === undefined ? one.level : undefined]));
  const drafts = [...contract.rules.refusals.flatMap((rule) => ofRule(contract, rule)), ...ofAcceptances(contract)];
  return [...drafts, ...ofPeople(contract), ...ofAnswers(contract)].flatMap((draft) => {
    const level = decided.get(draft.breaks);
    return level === undefined ? [] : [{ ...draft, level }];
  });
}

/** What no fault breaks, with the reason of the contract. */
export function notPlantedIn(contract: Contract, planted: readonly Planted[]): readonly NotPlanted[] {
  const broken = new Set(planted.map(({ breaks }) => breaks));
  return contract.requirements.flatMap(({ id, excluded }) =>
    broken.has(id) ? [] : [{ requirement: id, reason: excluded ?? 'no fault of this proof is about it' }],
  );
}

/** What a server does that ignores a rule, and the facts in which such faults differ. */
const IGNORED: Readonly<Record<string, string>> = {
  'authorization.absent': 'no token is needed',
  'authorization.malformed': 'a token is taken in another form',
  'token.unknown': 'a token that nobody issued is accepted',
  'token.tampered': 'only the beginning of a token counts',
  'token.foreign': 'a token for another client is accepted',
  'token.expired': 'an expired token is accepted',
  'act-as.missing': 'a request need not name whom it acts as',
  'act-as.blank': 'a blank name of the acting user is accepted',
  'act-as.unknown': 'an unknown person is ignored',
  'act-as.malformed': 'a name that is no email is ignored',
  'act-as.rights': 'who acts as somebody keeps the rights of the token',
  'scope.missing': 'no scope is needed',
  'body.invalid': 'a wrong or missing field of the body is accepted',
  'body.option': 'a mistyped optional field is accepted',
  'body.not-json': 'a body that is no JSON is accepted',
  'body.content-type': 'another content type is accepted',
};

function ofRule(contract: Contract, rule: Rule): readonly Draft[] {
  const { id, requirement, outcome } = rule;
  if (outcome === undefined) {
    // What is left open admits everything but a server error.
    const isOpenByDefault = !(id in IGNORED);
    return isOpenByDefault
      ? [{ what: `${id}: a server error`, breaks: requirement, fault: { at: id, does: 500 } }]
      : [];
  }
  const status = wrongStatus(outcome.flatMap((one) => one.status));
  return placesOf(contract, rule).flatMap(({ operation = '', words, where, isPart }) => {
    const breaks = requirementFor(requirement, operation);
    const head = (what: string) => [what, words].filter(Boolean).join(', ');
    return [
      { what: head(IGNORED[id] ?? `${id} is ignored`), breaks, fault: { at: id, does: 'skips', where } },
      ...(isPart ? [] : [{ what: `${head(id)}: answered with ${status}`, breaks, fault: { at: id, does: status, where } }]),
    ] as const;
  });
}

interface Place {
  readonly operation?: string;
  readonly words: string;
  readonly where: Where;
  /** Only a part of what the rule refuses. */
  readonly isPart?: true;
}

/** Where a rule is broken: once for each form, kind or operation that it is about. */
function placesOf(contract: Contract, { id, when }: Rule): readonly Place[] {
  const everywhere = { words: '', where: {} };
  const { kinds, headers } = contract.matrix;
  const operations = (isAbout: (one: Contract['operations'][number]) => boolean, where: Where = {}): readonly Place[] =>
    contract.operations
      .filter(isAbout)
      .map(({ id: operation }) => ({ operation, words: operation, where: { ...where, operation } }));
  switch (id) {
    case 'authorization.malformed':
      return FORMS.filter(([name]) => name in headers.authorization.lines).map(([, form, words]) => ({
        words,
        where: { form },
      }));
    case 'token.tampered':
    case 'token.foreign':
    case 'token.expired':
      return Object.keys(kinds)
        .filter((kind) => kinds[kind]?.validities?.includes(String(when['validity'])))
        .map((kind) => ({ words: kind, where: { kind } }));
    case 'act-as.rights':
      return operations((one) => [when['operation']].flat().includes(one.id));
    case 'scope.missing':
      return contract.operations.flatMap((one) => [
        ...operations((other) => other === one && one.scopes.length > 0),
        ...(one.scopes.length > 1 ? one.scopes.filter((scope) => isLackedAlone(contract, scope, one.scopes)) : []).map(
          (scope) => ({
            operation: one.id,
            words: `${one.id}: ${scope} is not needed`,
            where: { operation: one.id, lacks: scope },
            isPart: true as const,
          }),
        ),
      ]);
    case 'body.option':
      return operations(({ option, field }) => option !== undefined && field !== undefined);
    case 'body.invalid':
      return operations(({ field }) => field !== undefined);
    default:
      return [everywhere];
  }
}

const FORMS = [
  ['empty', 'empty', 'without a token'],
  ['no-scheme', 'no-scheme', 'without a scheme'],
  ['basic', 'other-scheme', 'with another scheme'],
] as const;

/** Whether some token lacks just this one of the scopes. */
function isLackedAlone({ matrix }: Contract, scope: string, needed: readonly string[]): boolean {
  const forms = Object.values(matrix.kinds).flatMap(({ holdings = [] }) => holdings);
  return needed.includes(scope) && (forms.includes('all-but') || (forms.includes('single') && needed.length === 2));
}

function wrongStatus(admitted: readonly StatusPattern[]): number {
  const fits = (status: number) =>
    admitted.some((one) => one === status || one === `${Math.floor(status / 100)}xx`);
  return [404, 402, 500].find((status) => !fits(status)) ?? 500;
}

function ofAcceptances(contract: Contract): readonly Draft[] {
  const refuses = (status: number, where: Partial<Record<keyof Facts, string>>): Fault => ({
    at: 'accepted',
    does: status,
    where,
  });
  const kinds = Object.keys(contract.matrix.kinds).filter((kind) => contract.matrix.kinds[kind]?.validities);
  const ofKind = contract.rules.acceptances.flatMap(({ requirement, when }) => {
    const [kind, ...others] = [when['kind'] ?? []].flat();
    return requirement.startsWith('kind.') && kind !== undefined && others.length === 0 ? [{ requirement, kind }] : [];
  });
  return [
    ...(['lower', 'upper'] as const).map((letters) => ({
      what: `header names in ${letters} case are not known`,
      breaks: 'headers.case',
      fault: refuses(400, { letters }),
    })),
    ...ofKind.map(({ requirement, kind }) => ({
      what: `tokens of the kind ${kind} are refused`,
      breaks: requirement,
      fault: refuses(401, { kind }),
    })),
    ...contract.operations.map(({ id }) => ({
      what: `${id} is refused to everybody`,
      breaks: `${id}.success`,
      fault: refuses(404, { operation: id }),
    })),
    { what: 'a token needs every scope', breaks: 'scope.sole', fault: refuses(403, { holds: 'less' }) },
    ...kinds
      .filter((kind) => contract.matrix.kinds[kind]?.validities?.includes('future-expiry'))
      .map((kind) => ({
        what: `a token that expires later is refused, ${kind}`,
        breaks: 'token.unexpired',
        fault: refuses(401, { kind, state: 'future-expiry' }),
      })),
    {
      what: 'nobody may act as somebody',
      breaks: 'act-as.accepted',
      fault: refuses(403, { acts: 'may', named: 'person' }),
    },
  ];
}

/** Whom requests run as. */
function ofPeople({ headers }: Contract): readonly Draft[] {
  const ofActing: readonly Draft[] = [
    { what: 'acting is ignored', breaks: 'act-as.effective', fault: { at: 'person', does: 'as owner', where: {} } },
    {
      what: 'anybody may act as somebody',
      breaks: 'act-as.no-escalation',
      fault: { at: 'person', does: 'as named', where: { acts: 'never', named: 'person' } },
    },
  ];
  return [
    ...(headers.includes(ACT_AS) ? ofActing : []),
    {
      what: 'a request runs as somebody else',
      breaks: 'identity.own',
      fault: { at: 'person', does: 'as another', where: { named: 'nobody' } },
    },
  ];
}

/** How answers are written. */
function ofAnswers({ operations }: Contract): readonly Draft[] {
  const documented = operations.filter(({ documentsBody }) => documentsBody);
  const everywhere = (what: string, breaks: string, at: string): Draft => ({ what, breaks, fault: { at, does: 'skips' } });
  return [
    ...operations.map(({ id }) => ({
      what: `${id} succeeds with another status`,
      breaks: `${id}.response`,
      fault: { at: 'status', does: 206, where: { operation: id } },
    })),
    ...documented.map(({ id }): Draft => ({
      what: `${id} answers with another body`,
      breaks: `${id}.response`,
      fault: { at: 'body', does: 'skips', where: { operation: id } },
    })),
    ...(documented.length > 0 ? [everywhere('a body is declared as HTML', 'response.content-type', 'type')] : []),
    everywhere('a 401 has no challenge', 'rfc.challenge', 'challenge'),
    everywhere('a 405 does not say which methods there are', 'rfc.allow', 'allow'),
    everywhere('answers may be stored', 'rfc.no-store', 'no-store'),
    everywhere('a refusal repeats the token', 'rfc.secret-echo', 'echo'),
    everywhere('a token in the query is accepted', 'rfc.query-token', 'query'),
    everywhere('a token in the body is accepted', 'rfc.body-token', 'body-token'),
  ];
}
