import type { CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { conversationTexts } from '../variations/fill.ts';
import { influenceOf, type Variation } from '../variations/variation.ts';
import { namesIn } from './documents/named-texts.ts';
import { describe } from './shared/caller.ts';
import { type Decided, decideEach, decisionOf, fail, hid, type KindAt, untried } from './shared/decision.ts';
import { variationsFor } from './shared/known-variations.ts';
import { markerOf } from './shared/private-documents.ts';
import { type Base, sendVaried } from './shared/send-varied.ts';
import { blindness, brokenBy, callOf, look, notFound, shows, type Viewer, viewersOf } from './shared/sightings.ts';

/**
 * A target may keep what a search found, and serve it at a path with an id that the answer named. It is of the person who
 * searched all the same: no other person sees it, and nobody without a token (spec 1 and 5.2).
 */
export async function keptAnswers(api: CheckApi): Promise<readonly CheckResult[]> {
  const viewers = viewersOf(api).filter(({ operation, isThird }) => operation.documentsBody && !isThird);
  const owners = viewers.filter(({ own }, at) => viewers.findIndex((one) => one.own.owner === own.owner) === at);
  return decideEach(api.breadth === 'whole' ? owners : owners.slice(0, 1), (owner) => ofOwner(owner, viewers));
}

async function ofOwner(owner: Viewer, viewers: readonly Viewer[]): Promise<readonly CheckResult[]> {
  const { api, own } = owner;
  const mine = await look(owner, own);
  const named = Object.entries(namesIn(mine)).sort(([a], [b]) => Number(IS_ID.test(b)) - Number(IS_ID.test(a)));
  const asked = named.slice(0, MOST_IDS[api.breadth]);
  // What is called otherwise may be a secret, such as a token.
  for (const [name, id] of asked) if (!IS_PLAIN.test(name)) api.given(String(id), `${name} of an answer`);
  // A list is of conversations.
  const ways = asked.flatMap(([, id]) =>
    pathsTo(api, owner.operation, String(id)).filter(([, path]) => String(path?.value).includes(String(id))),
  );
  const open =
    blindness(owner, [mine]) ??
    (shows(mine, own) ? undefined : notFound(owner)) ??
    (asked.length > 0 ? undefined : NO_ID);
  const control = await api.acceptance(mine.answer);
  const other = viewers.find((one) => one.own.owner !== own.owner);
  const ofOther = (one: Viewer): Asker => ({
    requirement: brokenBy(one),
    base: callOf(one, one.own),
    who: `the ${one.kind} token`,
  });
  const askers = [
    ...(other ? [{ unit: other, asker: ofOther(other) }] : []),
    // What nobody needs a token for, another person sees too.
    ...(other && api.breadth !== 'whole' ? [] : [{ unit: { ...owner, kind: 'none' }, asker: NOBODY }]),
  ];
  return decideEach(askers, async ({ unit, asker }) => {
    const kept = { unit, ways, isShown: (answer: CheckAnswer) => shows({ answer }, own), what: markerOf(own) };
    const leak = open ? undefined : await leakAtPath(kept, asker);
    const hidden = hid(own, control, `no path with an id of an answer shows ${markerOf(own)} with ${asker.who}`);
    return [decisionOf(unit, asker.requirement, open ?? leak ?? hidden)];
  });
}
const IS_ID = /id$/i;
const IS_PLAIN = /^(?:request|result|search|query|trace)?[_-]?id$/i;
const MOST_IDS = { telling: 1, whole: 4 };
const NO_ID = untried('no answer to a search names anything that may lead to what was found');

/** Who asks for what is kept, and what it breaks if they see it. */
export interface Asker {
  readonly requirement: string;
  readonly base: Base;
  /** `the USER token` */
  readonly who: string;
}

export const NOBODY: Asker = {
  requirement: 'authorization.required',
  base: { credential: undefined, headers: [] },
  who: 'no token',
};

/** What is kept, and what shows it. */
export interface Kept {
  readonly unit: KindAt;
  /** The requests that may lead to it. */
  readonly ways: readonly (readonly Variation[])[];
  readonly isShown: (answer: CheckAnswer) => boolean;
  /** In words. */
  readonly what: string;
}

/** Asks in each of these ways. @returns the failure if one shows it. */
export async function leakAtPath(
  { unit, ways, isShown, what }: Kept,
  { base, who }: Asker,
): Promise<Decided | undefined> {
  const { api, operation } = unit;
  const asked = ways.map(async (variations) => {
    const shows = `with ${who}, ${describe(variations)} does not show ${what}`;
    const answer = await sendVaried(api, operation, { base, variations, fields: {}, shows, wanted: 'either' });
    const detail = `with ${who}, ${describe(variations)} showed ${what}`;
    return isShown(answer) ? [fail(answer, detail, influenceOf(variations.slice(1)))] : [];
  });
  return (await Promise.all(asked)).flat()[0];
}

/** GET at the paths where servers keep what they answered, with this id. */
export function pathsTo(api: CheckApi, operation: Operation, id: string): readonly (readonly Variation[])[] {
  const [get] = variationsFor(api, operation, ['method'], { breadth: 'telling' }).filter(
    ({ name, value }) => name === 'GET' && value === 'query',
  );
  const texts = conversationTexts(id, undefined, undefined);
  const paths = variationsFor(api, operation, ['conversation'], { texts, breadth: api.breadth });
  return get ? paths.filter(({ place }) => place === 'path').map((path) => [get, path]) : [];
}
