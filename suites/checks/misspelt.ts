import type { CheckApi } from '../../harness/checks/check.ts';
import { ACT_AS, actsAs, type Dimension, headerOf, mayAct } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { areEmails, personVariable } from '../../harness/contract/people.ts';
import { aroundToken, tokenIn } from '../../harness/plan/request.ts';
import { isSameToken, isSpelledAlike } from '../../harness/plan/token-bytes.ts';
import { personTexts, tokenTexts } from '../variations/fill.ts';
import type { Variation } from '../variations/variation.ts';
import { variationsFor } from './shared/known-variations.ts';
import { baseOf, kindHeaders } from './shared/refusals.ts';
import type { Base } from './shared/send-varied.ts';

/** A request that must be refused because something in it is written otherwise. */
export interface Misspelt {
  readonly how: string;
  readonly requirement: string;
  readonly base: Base;
  readonly variation: Variation;
  readonly isFree?: boolean;
  /** The query of the person whose email is spelled otherwise. Accepted, it is wrong only if it finds the text that only they may see. */
  readonly query?: string | undefined;
  /** Where an answer shows that it ran as that person, though somebody else may have the other name. */
  readonly pointer?: string | undefined;
  /** Similar cases of the matrix. If the target accepts one of them, the matrix blames it and the check does not. */
  readonly neighbours: readonly Readonly<Record<Dimension, string>>[];
}

export interface Unit {
  readonly operation: Operation;
  readonly kind: string;
}

/** An address as people have it, in Latin letters. Nobody has one at .invalid (RFC 6761 6.4). */
const ADDRESS = /^[\p{Script=Latin}\d._-]+@[\p{Script=Latin}\d-]+(\.[\p{Script=Latin}\d-]+)*$/u;

/** A name as people have it where they are not named by an address. */
const NAME = /^[\p{L}\d._@-]+$/u;

/** Another person can have this name. Accepted, it breaks something only if it shows what the named one may see (outcomes 2). */
function mayBeAnothers({ contract }: CheckApi, { value, isFree }: Variation): boolean {
  const name = Buffer.from(String(value), 'latin1').toString();
  const isName = (areEmails(contract) ? ADDRESS : NAME).test(name);
  return !isFree && isName && !name.endsWith('.invalid');
}

/** X-Service-ActAs in other words. With the whole breadth, who no longer exists is nobody in any words, too (outcomes 5). */
export function identities(api: CheckApi, unit: Unit): Misspelt[] {
  const { actAs, former } = api.people;
  if (!mayAct(api.contract, unit.kind) || actAs === undefined) return [];
  const isGone = (one: Misspelt) => one.requirement === 'act-as.unknown' && one.query === undefined;
  const ofFormer =
    former !== undefined && api.breadth === 'whole' && !unit.operation.isSlow
      ? identitiesOf(api, unit, former).filter(isGone)
      : [];
  return [
    ...identitiesOf(api, unit, actAs),
    ...ofFormer.map((one) => ({
      ...one,
      how: `${one.how}, of ${personVariable(api.contract, 'FORMER')}`,
      isFree: false,
    })),
  ];
}

function identitiesOf(api: CheckApi, { operation, kind }: Unit, person: string): Misspelt[] {
  const query = api.variable('ACT_AS_PRIVATE_QUERY');
  const { identity } = api.contract;
  const pointer = identity?.operation === operation.id ? identity.pointer : undefined;
  return variationsFor(api, operation, ['person'], { texts: personTexts(person) }).flatMap((one): Misspelt[] => {
    // An email without a letter that has a look-alike, or in upper case anyway, is not spelled otherwise.
    const isOpen = mayBeAnothers(api, one);
    if (one.value === person || (isOpen && query === undefined && pointer === undefined)) return [];
    const requirement = one.breaks ?? 'act-as.unknown';
    // Who need not act as somebody may leave it out.
    if (requirement === 'act-as.missing' && !actsAs(api.contract, kind)) return [];
    return [
      {
        how: `${headerOf(api.contract, ACT_AS).name} with ${one.name}`,
        requirement,
        base: baseOf(api, kind, person),
        variation: one,
        isFree: one.isFree,
        ...(isOpen && { query, pointer }),
        neighbours: NEIGHBOURS[requirement] ?? [],
      },
    ];
  });
}

const NEIGHBOURS: Readonly<Record<string, Misspelt['neighbours']>> = {
  'act-as.unknown': [{ 'act-as': 'unknown' }, { 'act-as': 'malformed' }, { 'act-as': 'unknown-domain' }],
  // Who takes any name takes a blank of another alphabet for one.
  'act-as.missing': [{ 'act-as': 'absent' }, { 'act-as': 'blank' }, { 'act-as': 'unknown' }, { 'act-as': 'malformed' }],
};

/** The Authorization line in other words. */
export function tokens(api: CheckApi, { operation, kind }: Unit): Misspelt[] {
  const credential = api.full(kind);
  if (!credential) return [];
  const { token } = credential;
  const { name } = api.contract.matrix.headers.authorization;
  const headers = kindHeaders(api, kind);
  const [before] = aroundToken(api.contract);
  const texts = tokenTexts(token);
  const spelled = variationsFor(api, operation, ['authorization'], { texts: { ...texts, token: '{token}' } });
  return spelled.flatMap((one): Misspelt[] => {
    const value = String(one.value).replaceAll('{token}', token);
    const made = value.startsWith(before) ? tokenIn(api.contract, value) : value.replace(/^\S+ /, '');
    const requirement = one.breaks;
    if (requirement === undefined || (requirement === 'token.tampered' && isStillTheToken(token, made))) return [];
    // A part of the token is as secret as the token.
    const isMade =
      !value.includes(token) && Object.values(texts).some((part) => part !== undefined && value.includes(part));
    const sent = isMade ? api.derive(credential, made, one.name) : value.includes(token) ? credential : undefined;
    return [
      {
        how: `${name} with ${one.name}`,
        requirement,
        base: { credential: sent, headers },
        variation: one,
        isFree: one.isFree || (requirement === 'token.tampered' && isSpelledAlike(token, made)),
        neighbours: [{ authorization: 'basic' }, { authorization: 'no-scheme' }, { validity: 'tampered' }],
      },
    ];
  });
}

/** Whether a server may take it for the same token. If only the case of letters or hyphens differ, that is left open. */
function isStillTheToken(token: string, made: string): boolean {
  return made === token || (isSameToken(token, made) && !isSpelledAlike(token, made));
}
