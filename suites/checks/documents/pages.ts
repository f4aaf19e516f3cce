import type { CheckRun } from '../../../harness/checks/check.ts';
import { type Decided, decideEach, decisionOf, observedRefusal } from '../shared/decision.ts';
import { variationsFor } from '../shared/known-variations.ts';
import { markerOf } from '../shared/private-documents.ts';
import {
  actingAs,
  blindness,
  brokenBy,
  hiddenBeside,
  leakIn,
  look,
  type Sighting,
  type Viewer,
  viewersOf,
} from '../shared/sightings.ts';
import { CURSOR, namesIn, ONE_RESULT } from './named-texts.ts';

/** A person sees no document of another on any page (spec 5.2). The check `paging` decides whether pageSize is accepted. */
export const pages: CheckRun = (api) => {
  const searches = api.contract.operations.filter(({ id }) => id === 'search');
  return decideEach(viewersOf(api, searches).filter(actingAs('ACT_AS')), async (viewer) => [
    decisionOf(viewer, brokenBy(viewer), await turnPages(viewer)),
  ]);
};

async function turnPages(viewer: Viewer): Promise<Decided> {
  const { api, operation, own, other } = viewer;
  const mine = await look(viewer, own);
  const paged: Sighting[] = [];
  // The specification names no bounds, so a target may refuse any of these (spec 8.4).
  for (const one of variationsFor(api, operation, ['field'], { breadth: 'whole' }).filter(
    ({ name }) => name === 'pageSize',
  ))
    paged.push(await look(viewer, other, { how: `pageSize ${one.value}`, variations: [one] }));
  const [first] = paged.filter(({ way }) => way.how === 'pageSize 1');
  paged.push(await look(viewer, other, { how: 'a way beyond the first page', fields: beyondFirst(first) }));
  const leak = leakIn(viewer, [mine, ...paged]);
  if (leak) return leak;
  const shown = paged.filter(({ outcome }) => outcome.kind === 'accepted');
  const hidden = await hiddenBeside(viewer, mine, `${shown.length} searches with a pageSize hid ${markerOf(other)}`);
  // A page may be too large to be read. What the others show decides.
  if (hidden.verdict !== 'pass' || shown.length > 0) return hidden;
  const lost = paged.filter(({ outcome }) => outcome.kind === 'lost');
  return (
    blindness(viewer, lost) ?? observedRefusal(await api.acceptance(mine.answer), 'each of these pageSizes is refused')
  );
}

/** The specification shows no way to the next page, so this asks by number, by offset, and with whatever may be a cursor. */
function beyondFirst(first: Sighting | undefined): object {
  return { ...ONE_RESULT, page: 2, offset: 1, ...(first && namesIn(first, CURSOR)) };
}
