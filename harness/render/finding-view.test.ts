import { expect, test } from 'vitest';
import { expiredUser, HOSTILE, reportOf } from '../testing/report.ts';
import { accepted, answer } from '../testing/small-world.ts';
import { ticketOf } from './finding-view.ts';

const ticketFrom = async (instead: Parameters<typeof reportOf>[0]) => {
  const report = await reportOf(instead);
  const [first] = report.findings;
  if (!first) throw new Error('the report has no finding');
  return ticketOf(first, report);
};

test('a ticket has the requirement, the condition, wanted, got, curl, response, specification, version and run', async () => {
  const ticket = await ticketFrom({ instead: (values) => (expiredUser(values) ? accepted : undefined) });
  for (const part of [
    /^## token\.expired: /,
    /- \*\*wanted\*\* `401/,
    /- \*\*got\*\* `200/,
    /### Reproduce\n\n```sh\ncurl .*\$USER_TOKEN_EXPIRED"/,
    /### Response\n\n```\n200/,
    /### The specification\n\n```\nspec 3 States[\s\S]*\nspec 7 Errors/,
    /client-api-conformance \d+\.\d+\.\d+ in run /,
  ])
    expect(ticket).toMatch(part);
});

test.each([
  ['says so', 'once of two times', 1, true],
  ['says nothing of it', 'every time', 2, false],
])('a ticket %s if a wrong answer came %s', async (_what, _often, times, isSaid) => {
  const sent = new Map<unknown, number>();
  const ticket = await ticketFrom({
    instead: (values) => {
      const count = (sent.get(values) ?? 0) + 1;
      sent.set(values, count);
      return expiredUser(values) && count <= times ? accepted : undefined;
    },
  });
  expect(ticket.includes('the same request got 401 when it was sent again')).toBe(isSaid);
});

test.each([
  ['hostile text', HOSTILE],
  ['backticks', '```\n@everyone <b>\n````'],
])('%s of a target stays inside code', async (_name, text) => {
  const ticket = await ticketFrom({
    instead: (values) => (expiredUser(values) ? answer(404, text) : undefined),
  });
  const outside = ticket.replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '').replace(/(`+)[^`\n](?:.*?[^`])?\1(?!`)/g, '');
  expect(outside).not.toMatch(/@everyone|<b>|<script|onerror/);
});
