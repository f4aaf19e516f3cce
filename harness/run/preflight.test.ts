import { describe, expect, test } from 'vitest';
import type { Exchange } from '../record/exchange.ts';
import type { Failure, Observation } from '../record/observation.ts';
import type { Sender } from '../send/sender.ts';
import { accepted, answer, exchangeOf, planWith, reset } from '../testing/small-world.ts';
import { preflight } from './preflight.ts';

const plan = planWith();
const baseUrl = 'https://target.example';

/** Runs the preflight against a target that gives these answers in turn, and then repeats the last one. */
function run(...answers: readonly (Observation | undefined)[]) {
  return runAt(baseUrl, ...answers);
}

async function runAt(address: string, ...answers: readonly (Observation | undefined)[]) {
  return runThrough(undefined, address, ...answers);
}

async function runThrough(proxy: URL | undefined, address: string, ...answers: readonly (Observation | undefined)[]) {
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
  return { problem: await preflight(plan, sender as Sender, { baseUrl: address, proxy }), sent };
}

const failure = (kind: Failure['failure'], detail: string = kind): Failure => ({
  kind: 'failure',
  failure: kind,
  detail,
});
const html = (status: number) => answer(status, '<html><form>Sign in</form></html>', { 'content-type': 'text/html' });

describe('a redirect', () => {
  test('is a wrong address if a request with a token gets it too', async () => {
    const { problem, sent } = await run(answer(302));
    expect(problem).toMatchObject({ exitCode: 2 });
    expect(problem?.line).toMatch(/redirects \(302\), also with \$USER_TOKEN/);
    expect(sent.slice(2).map(({ case: id }) => id.split('/')[0])).toEqual(Array(7).fill('search'));
  });

  test.each([accepted, answer(401), answer(403), reset])(
    'is left to the matrix if one token gets more, because a gateway may lead others to a login page',
    async (seen) => {
      expect((await run(answer(302), answer(302), seen)).problem).toBeUndefined();
      expect((await run(answer(302), answer(302), answer(302), seen)).problem).toBeUndefined();
    },
  );

  test('is left to the matrix if another operation answers without one', async () => {
    for (const others of [answer(401), accepted]) {
      const { problem, sent } = await run(answer(302), others, answer(302));
      expect([problem, sent.length]).toEqual([undefined, 2]);
    }
  });

  test('says where it leads', async () => {
    const { problem } = await run({ ...answer(307), headers: { Location: '/v2/search' } });
    expect(problem?.line).toContain('redirects (307 to /v2/search), also with');
  });
});

describe('404 on every operation', () => {
  test('is a wrong address if a request with a token gets it too', async () => {
    const { problem, sent } = await run(answer(404));
    expect(problem?.line).toMatch(/also with \$USER_TOKEN and 6 more: correct the path prefix/);
    expect(sent[2]?.credential).toBe('$USER_TOKEN');
  });

  test.each([accepted, answer(401), reset])(
    'is left to the matrix if a request with a token gets more',
    async (seen) => {
      expect((await run(answer(404), answer(404), seen)).problem).toBeUndefined();
    },
  );
});

test('a sign-in page that does not come again is left to the matrix', async () => {
  expect((await run(html(200), html(200), answer(401))).problem).toBeUndefined();
});

const silent = failure('timeout');

describe('the preflight', () => {
  test.each<[string, Observation, 2 | 3, RegExp]>([
    ['a redirect', answer(302), 2, /redirects \(302\), also with .*TARGET_BASE_URL/],
    ['an HTML login page', html(200), 2, /HTML page.* set CONFORMANCE_EXTRA_HEADERS$/],
    ['404 on every operation', answer(404), 2, /404 on every operation.*path prefix/],
    [
      'a certificate of a private CA',
      failure('tls', 'TLS error (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'),
      2,
      /LEAF_SIGNATURE.*NODE_EXTRA_CA_CERTS/,
    ],
    ['an expired certificate', failure('tls', 'TLS error (CERT_HAS_EXPIRED)'), 2, /EXPIRED.*: renew it/],
    [
      'the certificate of another host',
      failure('tls', 'TLS error (ERR_TLS_CERT_ALTNAME_INVALID)'),
      2,
      /ALTNAME.*correct the host in TARGET_BASE_URL/,
    ],
    [
      'a server that wants a client certificate',
      failure('tls', 'TLS error (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)'),
      2,
      /ALERT_CERTIFICATE_REQUIRED.*CONFORMANCE_CLIENT_CERT and CONFORMANCE_CLIENT_KEY/,
    ],
    [
      'a server that speaks HTTP/2 only',
      failure('tls', 'TLS error (ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL)'),
      2,
      /NO_APPLICATION_PROTOCOL.*let it speak HTTP\/1\.1 too/,
    ],
    [
      'plain http at an https address',
      failure('no-tls', 'TLS error (ERR_SSL_WRONG_VERSION_NUMBER)'),
      2,
      /does not speak TLS .*: use http, or correct the port/,
    ],
    ['an answer that is not HTTP', failure('protocol'), 2, /does not speak HTTP/],
    [
      'an answer with endless headers',
      failure('protocol', 'no usable answer (UND_ERR_HEADERS_OVERFLOW)'),
      3,
      /sends answers that cannot be read/,
    ],
    ['a refused connection', failure('refused', 'refused (ECONNREFUSED)'), 3, /cannot connect.*ECONNREFUSED/],
    [
      'an unknown host',
      failure('refused', 'the host name is unknown (ENOTFOUND)'),
      3,
      /cannot connect to .*: the host name is unknown \(ENOTFOUND\): correct TARGET_BASE_URL, or reach its network first/,
    ],
    ['a reset', reset, 3, /closed the connection \(reset/],
    ['a timeout', failure('timeout'), 3, /did not answer/],
  ])('ends the run at %s, with one line that says what to do', async (_what, observation, exitCode, line) => {
    const { problem } = await run(observation);
    expect(problem).toMatchObject({ exitCode, line: expect.stringMatching(line) });
    expect(problem?.line).toContain(baseUrl);
    expect(problem?.line).not.toContain('\n');
  });

  test.each([failure('refused'), reset, failure('timeout'), failure('protocol'), failure('tls')])(
    'names the proxy if it may be the one that answers or does not: %j',
    async (lost) => {
      const { problem } = await runThrough(new URL('http://user:s3cret@proxy.example'), baseUrl, lost);
      expect(problem?.line).toContain(
        '. Requests go through the proxy that HTTPS_PROXY or HTTP_PROXY names: check it, and its user and password if it',
      );
      expect(problem?.line).not.toContain('s3cret');
      expect((await run(lost)).problem?.line).not.toContain('PROXY');
    },
  );

  test.each<[string, readonly Observation[]]>([
    ['401', [answer(401)]],
    ['401 with an HTML page', [html(401)]],
    ['an acceptance', [accepted]],
    ['500', [answer(500)]],
    ['404 on one operation only', [answer(404), answer(401)]],
    ['a closed connection, if a request with a token is accepted', [reset, accepted]],
    ['silence, if a request with a token is refused', [failure('timeout'), answer(403)]],
    ['a sign-in page, if a request with a token gets data', [html(200), html(200), html(200), accepted]],
    ['a closed connection on one operation, if another had an answer', [answer(401), reset]],
    ['a closed connection on the first operation, if the next one answers', [reset, reset, answer(401)]],
    ['silence on the first operation, if the next one answers a token', [silent, silent, silent, accepted]],
  ])('lets the matrix decide on %s', async (_what, answers) => {
    expect((await run(...answers)).problem).toBeUndefined();
  });

  test('ends the run if the gate is closed', async () => {
    expect((await run(undefined)).problem).toMatchObject({ exitCode: 3 });
  });

  test('sends one request without a credential to each operation', async () => {
    const { sent } = await run(answer(401));
    expect(sent.map(({ case: id, role, credential }) => [id.split('/')[0], role, credential])).toEqual([
      ['search', 'preflight', 'no token'],
      ['chat', 'preflight', 'no token'],
    ]);
  });

  test('asks a silent operation once without a token and once with one, because each wait may be long', async () => {
    const { sent } = await run(silent);
    expect(sent.map(({ case: id, credential }) => `${id.split('/')[0]} ${credential}`)).toEqual([
      'search no token',
      'search $USER_TOKEN',
      'chat no token',
      'chat $USER_TOKEN',
    ]);
  });
});

test.each([
  '<h1>400 Bad Request</h1>The plain HTTP request was sent to HTTPS port',
  'Client sent an HTTP request to an HTTPS server.',
  "Reason: You're speaking plain HTTP to an SSL-enabled server port.",
])('an https port that answers plain http in words ends the run: %s', async (body) => {
  const plain = 'http://127.0.0.1:8443';
  expect((await runAt(plain, answer(400, body))).problem).toEqual({
    exitCode: 2,
    line: `${plain} is an https port, as its answer says: use https, or correct the port`,
  });
  expect((await runAt(plain, reset)).problem?.line).toMatch(/and use https if this is an https port$/);
});
