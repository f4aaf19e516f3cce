import { describe, expect, test } from 'vitest';
import { chat, has, search, variation } from '../../testing/engine.ts';
import { ada, sighting, target, uma, viewer } from '../../testing/looking.ts';
import { decisionOf } from './decision.ts';
import {
  blindness,
  brokenBy,
  callOf,
  hiddenBeside,
  leakIn,
  look,
  lookAgain,
  lookForBoth,
  notFound,
  requirementsOf,
  type Sighting,
  shows,
  type Way,
} from './sightings.ts';

const [found, absent, refused] = [sighting('accepted', ['USER']), sighting('accepted'), sighting('refused')];

describe('a look', () => {
  test('for the own document must be accepted, and is to find it', () => {
    expect(callOf(viewer(), uma)).toMatchObject({
      operation: search,
      credential: { token: 'full-USER' },
      headers: [],
      body: { ...search.example, query: 'drafts' },
      shows: 'search with the USER token shows $USER_PRIVATE_MARKER',
      wanted: 'accepted',
      finds: 'USER',
    });
  });

  test('for the document of somebody else must be accepted, and is to find nothing', () => {
    const asAda = viewer({ kind: 'GLOBAL', isActing: true, own: ada, other: uma });
    expect(callOf(asAda, uma, { when: 'at last' })).toMatchObject({
      headers: [['X-Service-ActAs', ada.email]],
      body: { query: 'drafts' },
      shows:
        'search with the GLOBAL token and X-Service-ActAs: $ACT_AS_EMAIL does not show $USER_PRIVATE_MARKER at last',
      wanted: 'accepted',
      finds: undefined,
    });
  });

  test.each<[string, Way, string]>([
    ['asked otherwise', { how: 'a cookie' }, 'with the USER token and a cookie'],
    ['that names somebody', { named: ada }, 'with the USER token and X-Service-ActAs: $ACT_AS_EMAIL'],
  ])('%s may be refused', (_how, way, sender) => {
    const wanted = { wanted: 'either', finds: undefined, shows: `search ${sender} shows $USER_PRIVATE_MARKER` };
    expect(callOf(viewer(), uma, way)).toMatchObject(wanted);
  });

  test('has the fields and the token of its way, and the person whom it names', () => {
    const made = { ...viewer().credential, token: 'made' };
    expect(callOf(viewer(), uma, { fields: { pageSize: 1 }, credential: made, named: ada })).toMatchObject({
      credential: { token: 'made' },
      headers: [['X-Service-ActAs', ada.email]],
      body: { query: 'drafts', pageSize: 1 },
    });
    const acting = viewer({ kind: 'GLOBAL', isActing: true });
    expect(callOf(acting, uma, { how: 'a cookie' }).shows).toContain('search with the GLOBAL token and a cookie shows');
  });

  test('of a third person finds nothing that a variable names', () => {
    expect(callOf(viewer({ isThird: true }), uma)).toMatchObject({ wanted: 'accepted', finds: undefined });
  });

  test('is sent with its variations and says how it ended', async () => {
    const { api, sent } = target({}, (request) => (has(request, 'X-Test') ? 'refuses' : 'shows'));
    const seen = await look({ ...viewer(), api }, ada);
    expect([seen.outcome.kind, shows(seen, ada), shows(seen, uma)]).toEqual(['accepted', true, false]);
    const varied = await look({ ...viewer(), api }, ada, { how: 'a header', variations: [variation('X-Test')] });
    expect([varied.outcome.kind, varied.way.how]).toEqual(['refused', 'a header']);
    expect(sent.map((request) => has(request, 'payroll', 'full-USER'))).toEqual([true, true]);
  });

  test('for both documents begins with that of the other person', async () => {
    const { api, sent } = target();
    const { foreign, mine } = await lookForBoth({ ...viewer(), api }, { how: 'a cookie' });
    expect(sent.map((request) => has(request, 'payroll'))).toEqual([true, false]);
    expect([foreign.way.how, mine.way.how]).toEqual(['a cookie', 'a cookie']);
  });
});

describe('what looks show', () => {
  const other = sighting('refused', ['ACT_AS'], { how: 'a cookie' });

  test('is a failure if it is the document of the other person, in a refusal too', () => {
    const detail = 'with the USER token and a cookie, $ACT_AS_PRIVATE_MARKER was returned';
    expect(leakIn(viewer(), [found, other])).toMatchObject({ verdict: 'fail', detail, broke: other.answer });
    expect(leakIn(viewer(), [found, absent])).toBeUndefined();
    // What a name shows is one fault, whichever requirement is blamed.
    expect(leakIn(viewer(), [other])).not.toHaveProperty('influence');
    const named = { ...other, way: { ...other.way, named: viewer().other } };
    expect(leakIn(viewer(), [named])).toMatchObject({ influence: 'header X-Service-ActAs' });
  });

  test('is a failure for a third person if it is either document', () => {
    const isThird = viewer({ isThird: true });
    expect([leakIn(isThird, [found])?.verdict, leakIn(isThird, [other])?.verdict]).toEqual(['fail', 'fail']);
    expect(leakIn(isThird, [absent])).toBeUndefined();
  });

  test('is nothing if an answer was lost or refused', () => {
    expect(blindness(viewer(), [found, sighting('lost')])).toMatchObject({
      verdict: 'inconclusive',
      detail: 'no answer came',
    });
    const detail = 'with the USER token, the request was refused, so nothing was seen';
    expect(blindness(viewer(), [found, refused])).toMatchObject({ verdict: 'inconclusive', detail });
    expect(blindness(viewer(), [found, absent])).toBeUndefined();
  });

  test('lets something pass as hidden only beside the own document', async () => {
    const detail = 'it was hidden';
    expect(await hiddenBeside(viewer(), found, detail)).toMatchObject({ verdict: 'pass', detail, hides: ['ACT_AS'] });
    expect(await hiddenBeside(viewer(), refused, detail)).toMatchObject({ verdict: 'inconclusive' });
    expect(await hiddenBeside(viewer(), absent, detail)).toEqual(notFound(viewer()));
    expect(await hiddenBeside(viewer({ isThird: true }), absent, detail)).toMatchObject({ verdict: 'pass' });
  });

  test('says nothing without the own document, and is free where the body is', () => {
    const detail = 'with the USER token, $USER_PRIVATE_QUERY did not find $USER_PRIVATE_MARKER';
    expect(notFound(viewer())).toMatchObject({ verdict: 'inconclusive', detail });
    expect(notFound(viewer({ operation: chat }))).toMatchObject({
      verdict: 'observed',
      detail: 'no answer showed a private marker',
    });
    const verdict = (said: string) => ({ verdict: 'inconclusive', unseen: true, detail: said }) as const;
    expect(notFound(viewer(), verdict)).toEqual(verdict(detail));
  });
});

describe('an own document that is looked for again', () => {
  /** What comes of these looks, and how many were sent. Others show a document beside them until `besides` ends. */
  async function again(looks: readonly Sighting[], { besides = 9 } = {}) {
    let sent = 0;
    const ask = async () => {
      sent += 1;
      return looks[sent - 1] ?? absent;
    };
    const { kind, missed } = await lookAgain(viewer(), ask, async () => sent <= besides);
    return { kind, sent, isMissed: missed !== undefined };
  }

  test('is missed if it is absent six times', async () => {
    expect(await again([])).toEqual({ kind: 'missed', sent: 6, isMissed: true });
    expect((await again(Array(5).fill(absent).concat(found))).kind).toBe('found');
  });

  test('is found if one look shows it, and what came before is told', async () => {
    expect(await again([found])).toEqual({ kind: 'found', sent: 1, isMissed: false });
    expect(await again([absent, found])).toEqual({ kind: 'found', sent: 2, isMissed: true });
  });

  test.each([2, 3, 4])('is not missed if every server but one of %i that take turns has it', async (servers) => {
    for (let first = 0; first < servers; first += 1) {
      let at = first;
      const isThere = () => {
        at += 1;
        return at % servers !== 0;
      };
      const ask = async () => (isThere() ? found : absent);
      expect((await lookAgain(viewer(), ask, async () => isThere())).kind).not.toBe('missed');
    }
  });

  test('is left open if a look is refused, or if no look beside it shows a document', async () => {
    expect(await again([refused])).toEqual({ kind: 'open', sent: 1, isMissed: false });
    expect(await again([], { besides: 1 })).toEqual({ kind: 'open', sent: 2, isMissed: true });
  });
});

test('a leak breaks the requirement of the person, or of the one who is named needlessly', () => {
  expect([brokenBy({ isActing: true }), brokenBy({ isActing: true }, true)]).toEqual([
    'act-as.effective',
    'act-as.effective',
  ]);
  expect([brokenBy({ isActing: false }), brokenBy({ isActing: false }, true)]).toEqual(
    requirementsOf({ isActing: false }),
  );
});

test('a decision names its operation and kind, and rests on what was sent', async () => {
  const { api } = target();
  const looking = { ...viewer(), api };
  const { answer } = await look(looking, ada);
  const decided = decisionOf(looking, 'user.isolation', { verdict: 'inconclusive', detail: 'so' });
  expect(decided).toMatchObject({
    requirement: 'user.isolation',
    operation: 'search',
    kind: 'USER',
    verdict: 'inconclusive',
    detail: 'so',
  });
  expect(decided.steps).toEqual([answer]);
});
