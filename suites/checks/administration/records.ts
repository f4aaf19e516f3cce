import { type Decided, fail } from '../shared/decision.ts';
import type { MadeToken, TokenMaker } from './token-maker.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A record may show the day of another time zone, or the moment after the last day. */
const MOST_DAYS = 3;
const ISO_DATE = /^\d{4}-\d\d-\d\d(?:T|$)/;

/** In which field the record of a token shows something else than was asked for, by the requirement that this breaks. */
const DIFFERENCES: Readonly<Record<string, (made: MadeToken, scopes: readonly string[]) => string | undefined>> = {
  'administration.permission': ({ terms, token }) => {
    const [asked = '', shown = ''] = [terms.permission, token.permission];
    const areKnown = [asked, shown].every((one) => one === 'USER' || one === 'GLOBAL');
    return areKnown && asked !== shown ? `the permission ${asked} has ${shown}` : undefined;
  },
  'administration.scopes': ({ terms, token }, scopes) => {
    const [asked = [], shown = []] = [terms.scopes, token.scopes];
    const areKnown = [asked, shown].every((all) => all.length > 0 && all.every((one) => scopes.includes(one)));
    const isSame = asked.length === shown.length && asked.every((one) => shown.includes(one));
    return areKnown && !isSame ? `the scopes ${asked.join(', ')} has ${shown.join(', ')}` : undefined;
  },
  'administration.expires': ({ terms, token }) => {
    const [asked = '', shown = ''] = [terms.expires, token.expires];
    // 03/01/2027 is in January for some.
    const days = ISO_DATE.test(shown) ? (Date.parse(shown.slice(0, 10)) - Date.parse(asked)) / DAY_MS : 0;
    return Math.abs(days) > MOST_DAYS ? `the date ${asked} has ${shown}` : undefined;
  },
};

/**
 * What the records of the tokens show that a Super Admin did not ask for (spec 2.1). A record need not show every field, and
 * may show it in words of its own: then it says nothing.
 */
export function unlikeAsked({ api, made }: TokenMaker): readonly (Decided & { readonly requirement: string })[] {
  return Object.entries(DIFFERENCES).flatMap(([requirement, differs]) => {
    const [found] = made.flatMap((one) =>
      one.actor === 'super-admin' ? (differs(one, api.contract.matrix.scopes) ?? []) : [],
    );
    return found === undefined
      ? []
      : [{ ...fail(undefined, `the record of a token that was requested with ${found}`), requirement }];
  });
}
