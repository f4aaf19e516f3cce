import type { Plan } from '../plan/plan.ts';
import { isSuccess, type Observation } from '../record/observation.ts';
import type { Sender } from '../send/sender.ts';
import type { Settings } from '../settings/settings.ts';

/** Why a run ends before the first case. Exit code 2 is a wrong configuration, 3 is no answer (outcomes 4). */
export interface PreflightProblem {
  readonly exitCode: 2 | 3;
  /** What happened, and what to do. */
  readonly line: string;
}

/** Sends one request without a token to each operation, to check that the target is a client API. */
export async function preflight(
  plan: Plan,
  sender: Sender,
  { baseUrl }: Pick<Settings, 'baseUrl'>,
): Promise<PreflightProblem | undefined> {
  const firstOf = new Map<string, Observation>();
  for (const planned of plan.cases.values()) {
    const { operation, family } = planned.values;
    if (family !== 'none' || firstOf.has(operation)) continue;
    const exchange = await sender.send(planned, 'preflight');
    if (!exchange) return { exitCode: 3, line: `the run was stopped before ${baseUrl} answered` };
    const problem = problemWith(exchange.observation, baseUrl);
    if (problem) return problem;
    firstOf.set(operation, exchange.observation);
  }
  const statuses = [...firstOf.values()].map((observation) => (observation.kind === 'answer' ? observation.status : 0));
  if (statuses.length > 0 && statuses.every((status) => status === 404))
    return {
      exitCode: 2,
      line: `${baseUrl} answers 404 on every operation: correct the path prefix of TARGET_BASE_URL`,
    };
  return undefined;
}

function problemWith(observation: Observation, baseUrl: string): PreflightProblem | undefined {
  if (observation.kind === 'failure') {
    const { failure, detail } = observation;
    switch (failure) {
      case 'no-tls':
        return {
          exitCode: 2,
          line: `${baseUrl} does not speak TLS (${detail}): use http, or correct the port`,
        };
      case 'tls':
        return {
          exitCode: 2,
          line: `the certificate of ${baseUrl} is not trusted (${detail}): set NODE_EXTRA_CA_CERTS to a private CA, or correct the host name`,
        };
      case 'protocol':
        return {
          exitCode: 2,
          line: `${baseUrl} does not speak HTTP (${detail}): use https instead of http, or correct the port`,
        };
      case 'refused':
        return {
          exitCode: 3,
          line: `cannot connect to ${baseUrl} (${detail}): start the target, or correct TARGET_BASE_URL`,
        };
      case 'reset':
      case 'timeout':
      case 'locked-out':
      case 'other':
        return {
          exitCode: 3,
          line: `${baseUrl} did not answer (${detail}): check that it is running and that this machine can reach it`,
        };
    }
  }
  const { status, contentType = '' } = observation;
  if (status >= 300 && status < 400)
    return {
      exitCode: 2,
      line: `${baseUrl} redirects (${status}), and the suite never follows redirects: set TARGET_BASE_URL to the new address`,
    };
  if (isSuccess(status) && /html/i.test(contentType))
    return {
      exitCode: 2,
      line: `${baseUrl} answers ${status} with an HTML page, such as a sign-in page: set TARGET_BASE_URL to the API itself`,
    };
  return undefined;
}
