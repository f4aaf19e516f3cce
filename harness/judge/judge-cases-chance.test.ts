import { expect, test } from 'vitest';
import { accepted, answer, plannedCase } from '../testing/small-world.ts';
import { acceptedControl, decide, full, plan, type Sent, several } from '../testing/verdicts.ts';

const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });
const [refused, forbidden] = [answer(401), answer(403)];
const own = several(expired, forbidden, refused, refused, forbidden);

test('a wrong answer that comes and goes may be chance, and more sends would tell', () => {
  expect(decide([...own, acceptedControl])).toMatchObject({
    verdict: 'inconclusive',
    intermittent: true,
    unclear: true,
  });
});

test('a wrong answer that comes as seldom as elsewhere is likely chance, and more sends would tell nothing', () => {
  const elsewhere = Array.from({ length: 20 }, (_, at): Sent => [full, at % 2 === 0 ? forbidden : accepted]);
  const verdict = decide([...own, ...elsewhere]);
  expect(verdict).toMatchObject({ verdict: 'inconclusive', intermittent: true });
  expect(verdict).not.toHaveProperty('unclear');
});
