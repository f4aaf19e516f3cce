import { describe, expect, test } from 'vitest';
import type { CheckAnswer } from '../../../harness/checks/check.ts';
import { isNamedIn, lookAgain, type Sighting, type Viewer } from './sightings.ts';

const own = { owner: 'USER', email: 'a+b@people.example', query: 'drafts' } as const;

/** A look with this status, and whether it shows the own document. */
function sighting(status: number, isShown: boolean): Sighting {
  const answer = {
    observation: { kind: 'answer', status, markers: isShown ? ['USER_PRIVATE_MARKER'] : [] },
  } as unknown as CheckAnswer;
  const outcome = status === 200 ? ({ kind: 'accepted' } as const) : ({ kind: 'refused' } as const);
  return { way: {}, answer, outcome: { ...outcome, status, got: `${status}` } };
}
const [found, absent, refused] = [sighting(200, true), sighting(200, false), sighting(403, false)];

describe('an own document that is looked for again', () => {
  /** What comes of these looks, and how many were sent. Others show a document beside them until `besides` ends. */
  async function again(looks: readonly Sighting[], { documentsBody = true, before = 0, besides = 9 } = {}) {
    let sent = 0;
    const ask = async () => {
      sent += 1;
      return looks[sent - 1] ?? absent;
    };
    const viewer = { operation: { documentsBody }, own } as unknown as Viewer;
    const { kind, missed } = await lookAgain(viewer, ask, { before, showsBeside: async () => sent <= besides });
    return { kind, sent, isMissed: missed !== undefined };
  }

  test.each([
    ['three times in a search', {}, 3],
    ['twice more if it was absent once', { before: 1 }, 2],
    ['six times in a chat', { documentsBody: false }, 6],
  ])('is missed if it is absent %s', async (_how, options, sent) => {
    expect(await again([], options)).toEqual({ kind: 'missed', sent, isMissed: true });
  });

  test('is found if one look shows it, and what came before is told', async () => {
    expect(await again([found])).toEqual({ kind: 'found', sent: 1, isMissed: false });
    expect(await again([absent, found])).toEqual({ kind: 'found', sent: 2, isMissed: true });
  });

  test('is left open if a look is refused, or if no look beside it shows a document', async () => {
    expect(await again([refused])).toEqual({ kind: 'open', sent: 1, isMissed: false });
    expect(await again([], { besides: 1 })).toEqual({ kind: 'open', sent: 2, isMissed: true });
  });
});

test.each([
  ['a+b@people.example', true],
  ['user=a%2Bb%40people.example', true],
  [['', 'a+b@people.example'], true],
  ['%', false],
])('a variation with the value %j names the person: %s', (value, isNamed) => {
  expect(isNamedIn([{ value } as never], own)).toBe(isNamed);
});
