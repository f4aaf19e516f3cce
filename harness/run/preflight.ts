import { firstOf } from '../contract/amounts.ts';
import type { Plan } from '../plan/plan.ts';
import { type Failure, isSuccess, type Observation } from '../record/observation.ts';
import type { Sender } from '../send/sender.ts';
import type { Settings } from '../settings/settings.ts';

/** Why a run ends before the first case. Exit code 2 is a wrong configuration, 3 is no answer (outcomes 4). */
export interface PreflightProblem {
  readonly exitCode: 2 | 3;
  /** What happened, and what to do. */
  readonly line: string;
}

/** A gateway may answer some requests with its sign-in page. The target is one if it answers this many in a row so. */
const SIGN_IN_PAGES = 3;

/**
 * Sends one request without a token to each operation, to check that the target is a client API. If all of them get 404 or are
 * redirected, sends one with each full token until the target shows its API: it may hide that from requests without one.
 * What gets no answer, or a page, is asked once with a token: a gateway may refuse requests without one in its own way. What
 * gets no answer while another operation has one is left to the matrix.
 */
export async function preflight(
  plan: Plan,
  sender: Sender,
  { baseUrl, proxy }: Pick<Settings, 'baseUrl'> & { readonly proxy?: URL | undefined },
): Promise<PreflightProblem | undefined> {
  const asked = new Set<string>();
  const answers = new Map<string, Observation>();
  let silence: PreflightProblem | undefined;
  for (const planned of plan.cases.values()) {
    const { operation, family } = planned.values;
    if (family !== 'none' || asked.has(operation)) continue;
    asked.add(operation);
    let exchange = await sender.send(planned, 'preflight');
    for (let time = 1; time < SIGN_IN_PAGES && exchange && isSignInPage(exchange.observation); time += 1)
      exchange = await sender.send(planned, 'preflight');
    if (!exchange) return noAnswer(`the run was stopped before ${baseUrl} answered`);
    const problem = problemWith(exchange.observation, baseUrl);
    const isNetwork = exchange.observation.kind === 'failure';
    if (problem && !(isNetwork && answers.size > 0) && (await isAlsoWrong(plan, sender, operation, baseUrl))) {
      const told = isNetwork && proxy ? { ...problem, line: problem.line + PROXY_HINT } : problem;
      if (!mayBeOfOperation(exchange.observation)) return told;
      silence ??= told;
    } else answers.set(operation, exchange.observation);
  }
  if (answers.size === 0) return silence;
  // What one operation alone answers so is left to the matrix.
  if (![...answers.values()].every((first) => isRedirect(first) || isNotFound(first))) return undefined;
  const hidden = [...answers].find(([, first]) => isRedirect(first)) ?? [...answers][0];
  if (!hidden) return undefined;
  const [operation, first] = hidden;
  const redirect = redirectIn(first);
  const also = await alsoWithTokens(plan, sender, { operation, hides: redirect ? isRedirect : isNotFound });
  if (also === undefined) return undefined;
  return wrong(
    redirect
      ? `${baseUrl} redirects (${redirect})${also}, and the suite never follows redirects: set TARGET_BASE_URL to the new address. ${GATEWAY_HINT}`
      : `${baseUrl} answers 404 on every operation${also}: correct the path prefix of TARGET_BASE_URL`,
  );
}

/** A server may leave one operation alone without an answer. To what does not connect, no request differs. */
const mayBeOfOperation = (observation: Observation): boolean =>
  observation.kind === 'failure' && ['timeout', 'reset', 'other'].includes(observation.failure);

/** Whether the well-made request of the first kind gets no answer of the API either. */
async function isAlsoWrong(
  { acceptances }: Plan,
  sender: Sender,
  operation: string,
  baseUrl: string,
): Promise<boolean> {
  const planned = acceptances.find(({ deviations, values }) => deviations === 0 && values.operation === operation);
  const exchange = planned && (await sender.send(planned, 'preflight'));
  return exchange === undefined || problemWith(exchange.observation, baseUrl) !== undefined;
}

interface Hidden {
  readonly operation: string;
  readonly hides: (observation: Observation) => boolean;
}

/**
 * Sends the well-made request of each kind to an operation that hides from requests without a token.
 * @returns the tokens from which it hides too, in words. Undefined if it answers one of them, or the gate is closed.
 */
async function alsoWithTokens(
  { acceptances }: Plan,
  sender: Sender,
  { operation, hides }: Hidden,
): Promise<string | undefined> {
  const tokens: string[] = [];
  for (const planned of acceptances) {
    const { deviations, credential, values } = planned;
    if (deviations > 0 || credential === undefined || values.operation !== operation) continue;
    const exchange = await sender.send(planned, 'preflight');
    if (!exchange || !hides(exchange.observation)) return undefined;
    tokens.push(exchange.credential);
  }
  return tokens.length === 0 ? '' : `, also with ${firstOf(tokens, 1)}`;
}

const isRedirect = (observation: Observation): boolean => redirectIn(observation) !== undefined;

/** The status of a redirect and where it leads. Undefined for another answer. */
function redirectIn(observation: Observation): string | undefined {
  if (observation.kind === 'failure' || observation.status < 300 || observation.status >= 400) return undefined;
  const { Location: to } = observation.headers ?? {};
  return `${observation.status}${to === undefined ? '' : ` to ${to}`}`;
}

export function isNotFound(observation: Observation): boolean {
  return observation.kind === 'answer' && observation.status === 404;
}

function isSignInPage(observation: Observation): boolean {
  return observation.kind === 'answer' && isSuccess(observation.status) && /html/i.test(observation.contentType ?? '');
}

/** What nginx, Go, and Apache answer to plain HTTP on a port for TLS. */
const WANTS_TLS = /sent to HTTPS port|HTTP request to an HTTPS server|plain HTTP to an SSL-enabled server/i;

const CERTIFICATE_HINT =
  'if it asks for a client certificate, set CONFORMANCE_CLIENT_CERT and CONFORMANCE_CLIENT_KEY to one that it knows';

/** It may be the proxy that does not answer, or that answers in place of the target. Its address may have a password. */
const PROXY_HINT =
  '. Requests go through the proxy that HTTPS_PROXY or HTTP_PROXY names: check it, and its user and password if it wants them, or add the host to NO_PROXY';

export const GATEWAY_HINT =
  'If the target, or a gateway in front of it, wants a header of its own, such as an API key, set CONFORMANCE_EXTRA_HEADERS';

export function wrong(line: string): PreflightProblem {
  return { exitCode: 2, line };
}

export function noAnswer(line: string): PreflightProblem {
  return { exitCode: 3, line };
}

function problemWith(observation: Observation, baseUrl: string): PreflightProblem | undefined {
  if (observation.kind === 'failure') return problemWithFailure(observation, baseUrl);
  const { status, excerpt = '' } = observation;
  if (status === 400 && baseUrl.startsWith('http:') && WANTS_TLS.test(excerpt))
    return wrong(`${baseUrl} is an https port, as its answer says: use https, or correct the port`);
  if (isSignInPage(observation))
    return wrong(
      `${baseUrl} answers ${status} with an HTML page, such as a sign-in page: set TARGET_BASE_URL to the API itself. ${GATEWAY_HINT}`,
    );
  return undefined;
}

function problemWithFailure({ failure, detail }: Failure, baseUrl: string): PreflightProblem {
  switch (failure) {
    case 'no-tls':
      return wrong(`${baseUrl} does not speak TLS (${detail}): use http, or correct the port`);
    case 'tls':
      if (/NO_APPLICATION_PROTOCOL/.test(detail))
        return wrong(
          `${baseUrl} speaks another version of HTTP (${detail}): let it speak HTTP/1.1 too, as this suite does`,
        );
      // The server ends the handshake with an alert (RFC 8446 6.2): it did not get the certificate that it wants.
      if (/_ALERT_/.test(detail)) return wrong(`${baseUrl} refuses the TLS handshake (${detail}): ${CERTIFICATE_HINT}`);
      return wrong(`the certificate of ${baseUrl} is not trusted (${detail}): ${trustHint(detail)}`);
    case 'protocol':
      // undici read it as HTTP, and then gave up.
      if (/UND_ERR_/.test(detail))
        return noAnswer(`${baseUrl} sends answers that cannot be read (${detail}): look at what is in front of it`);
      return wrong(`${baseUrl} does not speak HTTP (${detail}): use https instead of http, or correct the port`);
    case 'refused':
      if (/host name/.test(detail))
        return noAnswer(`cannot connect to ${baseUrl}: ${detail}: correct TARGET_BASE_URL, or reach its network first`);
      return noAnswer(`cannot connect to ${baseUrl} (${detail}): start the target, or correct TARGET_BASE_URL`);
    case 'reset': {
      // TLS 1.3 may close the connection right after the handshake if it wants a certificate (RFC 8446 4.4.2.4).
      const also = baseUrl.startsWith('https:') ? CERTIFICATE_HINT : 'use https if this is an https port';
      const hint = `check that it is running, and ${also}`;
      return noAnswer(`${baseUrl} closed the connection (${detail}): ${hint}`);
    }
    case 'timeout':
    case 'locked-out':
    case 'ended':
    case 'other':
      return noAnswer(
        `${baseUrl} did not answer (${detail}): check that it is running and that this machine can reach it`,
      );
  }
}

/** What makes a certificate good, by the code of what is wrong with it. */
function trustHint(detail: string): string {
  if (/EXPIRED|NOT_YET_VALID/.test(detail)) return 'renew it, or correct the clock of this machine';
  if (/ALTNAME/.test(detail)) return 'it is for another host: correct the host in TARGET_BASE_URL';
  return 'set NODE_EXTRA_CA_CERTS to the file of the CA that issued it';
}
