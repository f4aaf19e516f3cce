import { type Decided, fail } from '../shared/decision.ts';
import type { MadeToken, TokenMaker } from './token-maker.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A record may show the day of another time zone, or the moment after the last day. */
const MOST_DAYS = 3;
const ISO_DATE = /^\d{4}-\d\d-\d\d(?:T|$)/;

/** In which field the record of a token shows something else than was asked for, by the requirement that this breaks. */
const DIFFERENCES: Readonly<Record<string, (made: MadeToken, known: Known) => string | undefined>> = {
  'administration.permission': ({ terms, token, actor }) => {
    // What a limited role may not create may become another token.
    if (actor !== 'super-admin') return undefined;
    const [asked = '', shown = ''] = [terms.permission, token.permission];
    const areKnown = [asked, shown].every((one) => one === 'USER' || one === 'GLOBAL');
    return areKnown && asked !== shown ? `the permission ${asked} has ${shown}` : undefined;
  },
  'administration.scopes': ({ terms, token, actor }, { scopes }) => {
    const [asked = [], shown = []] = [terms.scopes, token.scopes];
    const areKnown = [asked, shown].every((all) => all.length > 0 && all.every((one) => scopes.includes(one)));
    const isFewer = actor === 'super-admin' && asked.some((one) => !shown.includes(one));
    const isSame = !isFewer && shown.every((one) => asked.includes(one));
    return areKnown && !isSame ? `the scopes ${asked.join(', ')} has ${shown.join(', ')}` : undefined;
  },
  'administration.expires': ({ terms, token, actor }, { showsDates }) => {
    const [asked = '', shown = ''] = [terms.expires, token.expires];
    if (asked !== '' && shown === '' && showsDates) return `the date ${asked} has none`;
    // 03/01/2027 is in January for some.
    const days = ISO_DATE.test(shown) ? (Date.parse(shown.slice(0, 10)) - Date.parse(asked)) / DAY_MS : 0;
    // Others may get less than they ask for.
    const isOff = actor === 'super-admin' ? Math.abs(days) > MOST_DAYS : days > MOST_DAYS;
    return isOff ? `the date ${asked} has ${shown}` : undefined;
  },
};

interface Known {
  readonly scopes: readonly string[];
  /** The record of the first token has its date, so that one without a date has none. */
  readonly showsDates: boolean;
}

/**
 * What the records of the tokens show that nobody asked for (spec 2.1). A record need not show every field, and
 * may show it in words of its own: then it says nothing.
 */
export function unlikeAsked({ api, made }: TokenMaker): readonly (Decided & { readonly requirement: string })[] {
  const known = { scopes: api.contract.matrix.scopes, showsDates: made[0]?.token.expires !== undefined };
  return Object.entries(DIFFERENCES).flatMap(([requirement, differs]) => {
    const [found] = made.flatMap((one) => differs(one, known) ?? []);
    return found === undefined
      ? []
      : [{ ...fail(undefined, `the record of a token that was requested with ${found}`), requirement }];
  });
}
