import { describe, expect, test } from 'vitest';
import type { Exchange } from '../record/exchange.ts';
import type { Failure, Observation } from '../record/observation.ts';
import type { Sender } from '../send/sender.ts';
import { accepted, answer, exchangeOf, planWith, reset } from '../testing/small-world.ts';
import { preflight } from './preflight.ts';

const plan = planWith();
const baseUrl = 'https://target.example';

/** What the preflight makes of a target that gives these answers in turn, the last one for ever. */
async function fly(...answers: readonly (Observation | undefined)[]) {
  const sent: Exchange[] = [];
  const sender: Pick<Sender, 'send'> = {
    async send(planned, role) {
      const observation = answers[Math.min(sent.length, answers.length - 1)];
      if (!observation) return undefined;
      const exchange = exchangeOf(planned, observation, sent.length + 1, role);
      sent.push(exchange);
      return exchange;
    },
  };
  return { problem: await preflight(plan, sender as Sender, { baseUrl }), sent };
}

const failure = (kind: Failure['failure'], detail: string = kind): Failure => ({
  kind: 'failure',
  failure: kind,
  detail,
});
const html = (status: number) => answer(status, '<html><form>Sign in</form></html>', { 'content-type': 'text/html' });

describe('the preflight', () => {
  test.each<[string, Observation, 2 | 3, RegExp]>([
    ['a redirect', answer(302), 2, /redirects \(302\).*TARGET_BASE_URL/],
    ['an HTML login page', html(200), 2, /HTML page/],
    ['404 on every operation', answer(404), 2, /404 on every operation.*path prefix/],
    ['a TLS error', failure('tls', 'TLS error (CERT_HAS_EXPIRED)'), 2, /CERT_HAS_EXPIRED.*NODE_EXTRA_CA_CERTS/],
    [
      'plain http behind an https address',
      failure('no-tls', 'TLS error (ERR_SSL_WRONG_VERSION_NUMBER)'),
      2,
      /does not speak TLS there .*: is it http, or another port/,
    ],
    ['something that is not HTTP', failure('protocol'), 2, /does not speak HTTP/],
    ['nobody listening', failure('refused', 'refused (ECONNREFUSED)'), 3, /nobody listens.*ECONNREFUSED/],
    ['a reset', reset, 3, /gave no answer \(reset/],
    ['a timeout', failure('timeout'), 3, /gave no answer/],
  ])('ends the run at %s, in one line with the likely cause', async (_what, observation, exitCode, line) => {
    const { problem } = await fly(observation);
    expect(problem).toMatchObject({ exitCode, line: expect.stringMatching(line) });
    expect(problem?.line).toContain(baseUrl);
    expect(problem?.line).not.toContain('\n');
  });

  test.each<[string, readonly Observation[]]>([
    ['401', [answer(401)]],
    ['401 with an HTML page', [html(401)]],
    ['an acceptance, which the matrix will judge', [accepted]],
    ['500', [answer(500)]],
    ['404 on one operation only', [answer(404), answer(401)]],
  ])('lets the matrix decide on %s', async (_what, answers) => {
    expect((await fly(...answers)).problem).toBeUndefined();
  });

  test('says that nobody answered where the gate is closed', async () => {
    expect((await fly(undefined)).problem).toMatchObject({ exitCode: 3 });
  });

  test('sends one request for each operation, without any credential', async () => {
    const { sent } = await fly(answer(401));
    expect(sent.map(({ case: id, role, credential }) => [id.split('/')[0], role, credential])).toEqual([
      ['search', 'preflight', 'no token'],
      ['chat', 'preflight', 'no token'],
    ]);
  });
});
