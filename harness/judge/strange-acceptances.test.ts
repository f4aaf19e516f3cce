import { describe, expect, test } from 'vitest';
import { accepted, answer, plannedCase } from '../testing/small-world.ts';
import { acceptedControl, decide, full, plan, type Sent, several } from '../testing/verdicts.ts';

const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });

describe('a 2xx that looks like nothing that the target accepted', () => {
  const page = answer(200, '<h1>Sign in</h1>', { 'content-type': 'text/html' });
  const steady: Sent[] = [
    [expired, page, 'cell'],
    [full, accepted, 'control'],
    [expired, page, 'confirmation'],
    [full, accepted, 'control'],
  ];

  test('fails if every re-send shows it while the control is accepted around each', () => {
    expect(decide(steady, true)).toMatchObject({ verdict: 'fail', miss: { wronglyAccepted: true } });
  });

  test.each<[string, readonly Sent[]]>([
    ['it came once', steady.slice(0, 2)],
    ['the control was not accepted in between', steady.filter((_, index) => index !== 1)],
    ['the control was not accepted afterwards', steady.slice(0, 3)],
    ['the control got it as well', [...steady.slice(0, 3), [full, page, 'control']]],
  ])('is inconclusive if %s', (_what, sent) => {
    expect(decide(sent, true).verdict).toBe('inconclusive');
  });

  test('is inconclusive if the control is refused around each', () => {
    const refusing = steady.map(
      ([planned, seen, role]): Sent => [planned, planned === full ? answer(401) : seen, role ?? 'cell'],
    );
    expect(decide(refusing, true)).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/looks like nothing that the target accepts/),
    });
  });

  test('is inconclusive if the control always gets it too, while other requests are accepted as documented', () => {
    const alike = steady.map(([planned, , role]): Sent => [planned, page, role ?? 'cell']);
    const lower = plannedCase(plan, 'search', 'USER', { 'header-case': 'lower' });
    expect(decide([...alike, [lower, accepted]], true)).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/looks like nothing that the target accepts/),
    });
  });

  describe('where the specification leaves something open', () => {
    const open = plannedCase(plan, 'search', 'USER', { 'act-as': 'existing' });
    const both = plannedCase(plan, 'search', 'USER', { validity: 'expired', 'act-as': 'existing' });

    test.each([open, both])('is a way to refuse if it is a page (%#)', (planned) => {
      const sent = several(planned, page, page);
      expect(decide([...sent, acceptedControl], true)).toMatchObject({
        verdict: 'observed',
        satisfied: [],
        observation: page,
        sent: 2,
      });
    });

    test('is inconclusive if it is data', () => {
      const data = answer(200, '{"error":"expired"}');
      expect(decide([[both, data], acceptedControl], true).verdict).toBe('inconclusive');
    });

    test('is a wrong acceptance if what the target accepts is a page, too', () => {
      const chat = plannedCase(plan, 'chat', 'USER');
      const expiredChat = plannedCase(plan, 'chat', 'USER', { validity: 'expired', 'act-as': 'existing' });
      const chatPage = answer(200, '<h1>Hello</h1>', { 'content-type': 'text/html' }, 'chat');
      expect(
        decide(
          [
            [expiredChat, chatPage],
            [chat, chatPage],
          ],
          true,
        ),
      ).toMatchObject({
        verdict: 'fail',
        miss: { wronglyAccepted: true },
      });
    });
  });

  test('fails where a 2xx is right but not this one, because then nothing was wrongly accepted', () => {
    const lower = plannedCase(plan, 'search', 'USER', { 'header-case': 'lower' });
    expect(decide([...several(full, page, page), [lower, accepted]], true)).toMatchObject({
      verdict: 'fail',
      miss: { wronglyAccepted: false },
    });
  });

  test('does not count where another answer came as well', () => {
    expect(decide([...steady, [expired, answer(401)]], true).verdict).toBe('pass');
    expect(decide([...several(expired, page, answer(404), answer(404)), acceptedControl], true).verdict).toBe('fail');
  });

  test('still passes where any 2xx is right, even if it came and went for another request', () => {
    const chat = plannedCase(plan, 'chat', 'USER');
    const other = plannedCase(plan, 'chat', 'GLOBAL');
    const reply = answer(200, '{"text":"hello"}', undefined, 'chat');
    const signIn = answer(200, '<h1>Sign in</h1>', { 'content-type': 'text/html' }, 'chat');
    const sent: Sent[] = [
      [chat, signIn],
      [other, reply],
      [other, reply],
      [other, reply],
      [other, signIn],
    ];
    expect(decide(sent, true)).toMatchObject({ verdict: 'pass', observation: signIn });
  });

  test('does not count if it came and went for another request', () => {
    const other = plannedCase(plan, 'search', 'GLOBAL');
    const flickering: Sent[] = [...steady, [other, page], [other, accepted]];
    expect(decide(flickering, true)).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/gateway/),
    });
  });
});
