import { type CheckAnswer, showsMarker } from '../../../harness/checks/check.ts';
import type { Variation } from '../../variations/variation.ts';
import { type Caller, describe, sendAccepted, serves } from './caller.ts';
import { AT_ONCE, type Group } from './group-testing.ts';
import { markerOf, privatePeople } from './private-documents.ts';
import { sendVaried } from './send-varied.ts';

type Answers = readonly Group<Variation, CheckAnswer>[];

/** Each question costs a request or two. What is left then is not known. */
const MOST_ASKED = 100;

/**
 * What hides everything, such as a page further on, hides the document of another person too. So the variations of a group
 * count together if one's own document is found with them. Otherwise its halves are asked, down to what hides it alone.
 * @returns the groups that count, and an answer that showed the document of the other person.
 */
export async function seenWith(
  caller: Caller,
  groups: Answers,
): Promise<{ readonly seen: Answers; readonly leak?: Group<Variation, CheckAnswer> }> {
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
  // Who finds nothing anyway would be asked about each variation.
  if (!(await finds([]))) return { seen: groups };
  const seen: Group<Variation, CheckAnswer>[] = [];
  const left = [...groups];
  for (let asked = 0; left.length > 0 && asked < MOST_ASKED; ) {
    const some = left.splice(0, AT_ONCE);
    asked += some.length;
    const found = await Promise.all(some.map(async (group) => ({ group, isFound: await finds(group.items) })));
    for (const { group, isFound } of found) {
      if (isFound) seen.push(group);
      if (isFound || group.items.length === 1) continue;
      const half = Math.ceil(group.items.length / 2);
      for (const items of [group.items.slice(0, half), group.items.slice(half)]) {
        const evidence = await sendAccepted(caller, items);
        if (showsMarker(evidence, stranger.owner)) return { seen, leak: { items, evidence } };
        if (serves(caller, items, evidence)) left.push({ items, evidence });
      }
    }
  }
  return { seen };
}
