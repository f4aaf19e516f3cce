import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { ACT_AS, headerOf } from '../../../harness/contract/contract.ts';
import type { VariationKind } from '../../../harness/contract/variations.ts';
import type { Breadth } from '../../../harness/record/exchange.ts';
import { nameTexts } from '../../variations/fill.ts';
import type { Variation } from '../../variations/variation.ts';
import { kindsOfFamilies } from '../shared/breadth.ts';
import { decideEach, decisionOf, fail, inconclusive } from '../shared/decision.ts';
import { variationsFor } from '../shared/known-variations.ts';
import { brokenByNamingIn } from '../shared/named-person.ts';
import type { Person } from '../shared/private-documents.ts';
import {
  actingAs,
  brokenBy,
  hiddenBeside,
  look,
  namingIn,
  type Sighting,
  shows,
  type Viewer,
  viewersOf,
  type Way,
} from '../shared/sightings.ts';

/** No way to name the acting user shows the documents of two people, or those of another person without a GLOBAL token. */
export async function escalation(api: CheckApi): Promise<readonly CheckResult[]> {
  return decideEach(viewersOf(api).filter(actingAs('USER')), decide);
}

async function decide(viewer: Viewer): Promise<CheckResult[]> {
  const { kind, isActing, own, other } = viewer;
  const requirement = brokenBy(viewer, true);
  if (!isActing) {
    const plain = await look(viewer, other);
    if (plain.outcome.kind === 'lost') return [decisionOf(viewer, requirement, inconclusive(plain.outcome.why))];
    // The header makes no difference if the request is refused, or shows the document, without it.
    if (plain.outcome.kind === 'refused' || shows(plain, other)) return [];
  }
  let right = await ownFound(viewer);
  if (isActing && right.verdict === 'pass') right = await ownFound({ ...viewer, own: other, other: own });
  const namings = namingsOf(viewer);
  const { wrong, lost } = await lookInEach(viewer, namings);
  const influence = isActing ? undefined : namingIn(viewer);
  const what = isActing ? 'more than one named person may see' : `what only $${other.owner}_EMAIL may see`;
  return [...new Set([requirement, ...wrong.map(({ breaks }) => breaks)])].map((broken) => {
    const [first, ...others] = wrong.filter(({ breaks }) => breaks === broken);
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    const decided = first
      ? fail(first.sighting.answer, `the ${kind} token showed ${what}: with ${first.naming.how}${more}`, influence)
      : lost === undefined
        ? right
        : inconclusive(lost);
    const varied = { law: 'sighting', with: namings.flatMap(({ variations }) => variations) } as const;
    return decisionOf(viewer, broken, decided, varied);
  });
}

const ownFound = async (viewer: Viewer) =>
  hiddenBeside(viewer, await look(viewer, viewer.own), 'no way to name the acting user showed too much');

/** A way to write who a token acts as. */
interface Naming extends Way {
  readonly how: string;
  readonly variations: readonly Variation[];
  /** Whose documents are looked for, and how many of them it may show. A look that could not change the verdict is not sent. */
  readonly sought: readonly Person[];
  readonly mayShow: number;
  readonly breaks: string;
}

/** All of them, or the telling ones for a slow operation, and for a further kind of a family whose tokens are read alike. */
function namingsOf(viewer: Viewer): readonly Naming[] {
  const { api, operation, kind, isActing, own, other } = viewer;
  const spellings = {
    ...{ PERSON: own.email.toUpperCase(), OTHER: other.email.toUpperCase() },
    'other-in-base': Buffer.from(other.email).toString('base64'),
  };
  const known = (kind: VariationKind, breadth: Breadth, person: Person, texts = {}) => {
    const people = { ...spellings, person: person.email, other: other.email };
    return variationsFor(api, operation, [kind], { texts: { ...texts, ...people }, breadth });
  };
  const named = (how: string, variations: readonly Variation[], people: readonly Person[]): Naming => ({
    ...{ how, variations, mayShow: isActing && people.length === 2 ? 1 : 0 },
    sought: isActing ? [own, other].filter((one) => people.length !== 1 || !people.includes(one)) : [other],
    breaks: (isActing && people.length === 0 && variations[0]?.breaks) || brokenBy(viewer, true),
  });
  const emailsIn = ({ value }: Variation) => [value].flat().flatMap((line) => String(line).toLowerCase().split(', '));
  // A target may refuse what is left open, and each refusal counts on another machine.
  const lines = known('acting', 'whole', own)
    .filter(({ isFree }) => !isFree || api.breadth === 'whole')
    .map((one) => ({ one, people: [own, other].filter(({ email }) => emailsIn(one).includes(email.toLowerCase())) }))
    .filter(({ people }) => isActing || people.length > 0 || !operation.isSlow || api.breadth === 'whole')
    .map(({ one, people }) => named(one.how, [one], people));
  if (operation.isSlow || !(isActing || kindsOfFamilies(api).includes(kind)))
    return lines.filter(({ variations }) => variations.every(({ isTelling }) => isTelling));
  const { name: header } = headerOf(api.contract, ACT_AS);
  const spelled = known('name', 'whole', own, nameTexts(header)).flatMap((one) => {
    const line = { ...one, kind: 'header', name: String(one.value), value: other.email } as const;
    return one.isEqual ? [named(`the header name ${one.how}`, [line], [other])] : [];
  });
  return [...spelled, ...lines];
}

/** A look that shows too much. */
interface Wrong {
  readonly naming: Naming;
  readonly sighting: Sighting;
  readonly breaks: string;
}

/** A request that names nobody must be refused. If it is accepted, and shows a document, the requirement of that refusal is broken. */
function breaksBy(viewer: Viewer, naming: Naming, { outcome }: Sighting): string | Promise<string> {
  if (outcome.kind === 'refused') return brokenBy(viewer, true);
  return viewer.isActing ? naming.breaks : brokenByNamingIn(viewer, naming);
}

/** Looks in each way, until a look gets no answer: each of the others would take as long. */
async function lookInEach(viewer: Viewer, namings: readonly Naming[]) {
  const wrong: Wrong[] = [];
  for (const naming of namings) {
    const seen: Sighting[] = [];
    for (const person of naming.sought) {
      const sighting = await look(viewer, person, naming);
      if (shows(sighting, person)) seen.push(sighting);
      else if (sighting.outcome.kind === 'lost') return { wrong, lost: sighting.outcome.why };
      // A request that is refused for its header is refused whatever it looks for.
      else if (sighting.outcome.kind === 'refused') break;
    }
    const [sighting] = seen;
    if (sighting && seen.length > naming.mayShow)
      wrong.push({ naming, sighting, breaks: await breaksBy(viewer, naming, sighting) });
  }
  return { wrong, lost: undefined };
}
