import { type CheckAnswer, showsMarker } from '../../../harness/checks/check.ts';
import type { Variation } from '../../variations/variation.ts';
import { type Caller, describe, sendAccepted, serves } from './caller.ts';
import { type Group, groupsThatPass } from './group-testing.ts';
import { markerOf, privatePeople } from './private-documents.ts';
import { sendVaried } from './send-varied.ts';

type Answers = readonly Group<Variation, CheckAnswer>[];

/** The groups with which one's own document may be missing. What is left then is not known. */
const MOST_FAILED = 100;

/**
 * What hides everything, such as a page further on, hides the document of another person too. So the variations of a group
 * count together if one's own document is found with them. Otherwise its halves are asked, down to what hides it alone.
 * @returns the groups that count, an answer that showed the document of the other person, and whether one's own is never found.
 */
export async function seenWith(
  caller: Caller,
  groups: Answers,
): Promise<{ readonly seen: Answers; readonly leak?: Group<Variation, CheckAnswer>; readonly isBlind?: true }> {
  const { api, operation, kind, base, stranger } = caller;
  const people = privatePeople(api);
  if (!stranger || people.kind === 'missing' || caller.protocol || !operation.documentsBody) return { seen: groups };
  const own = people[stranger.owner === 'USER' ? 'ACT_AS' : 'USER'];
  const finds = async (variations: readonly Variation[]) => {
    // A query of its own finds what it finds.
    if (variations.some(({ kind }) => kind === 'query')) return true;
    const shows = `with ${describe(variations)}, the ${kind} token finds ${markerOf(own)}`;
    const fields = { ...(base.message?.fields ?? operation.example), query: own.query };
    const answer = await sendVaried(api, operation, { base, variations, shows, wanted: 'either', fields });
    return showsMarker(answer, own.owner);
  };
  // Who finds nothing anyway, in two tries, would be asked about each variation.
  if (!((await finds([])) || (await finds([])))) return { seen: groups, isBlind: true };
  let leak: Group<Variation, CheckAnswer> | undefined;
  const answers = new Map(groups.map(({ items, evidence }) => [items, evidence]));
  const ask = async (items: readonly Variation[]) => {
    const evidence = answers.get(items) ?? (await sendAccepted(caller, items));
    if (showsMarker(evidence, stranger.owner)) leak ??= { items, evidence };
    return leak || (serves(caller, items, evidence) && (await finds(items))) ? evidence : 'no';
  };
  const parts = groups.map(({ items }) => items);
  const { groups: seen } = await groupsThatPass(parts, { ask, familiesOf: [], most: MOST_FAILED });
  return leak ? { seen, leak } : { seen };
}
