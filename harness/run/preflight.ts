import type { Plan } from '../plan/plan.ts';
import { isSuccess, type Observation } from '../record/observation.ts';
import type { Sender } from '../send/sender.ts';
import type { Settings } from '../settings/settings.ts';

/** Why a run ends before the matrix: 2 is a wrong configuration, 3 nobody there. One line, with the likely cause. */
export interface PreflightProblem {
  readonly exitCode: 2 | 3;
  readonly line: string;
}

/** One request per operation, without credentials: is this a client API at all? */
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
    if (!exchange) return { exitCode: 3, line: `${baseUrl} did not answer` };
    const problem = problemWith(exchange.observation, baseUrl);
    if (problem) return problem;
    firstOf.set(operation, exchange.observation);
  }
  const statuses = [...firstOf.values()].map((observation) => (observation.kind === 'answer' ? observation.status : 0));
  if (statuses.length > 0 && statuses.every((status) => status === 404))
    return {
      exitCode: 2,
      line: `${baseUrl} answers 404 on every operation: is the path prefix of TARGET_BASE_URL right?`,
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
          line: `${baseUrl} does not speak TLS there (${detail}): is it http, or another port?`,
        };
      case 'tls':
        return {
          exitCode: 2,
          line: `${baseUrl}: ${detail}: set NODE_EXTRA_CA_CERTS to the private CA, or correct the host name`,
        };
      case 'protocol':
        return {
          exitCode: 2,
          line: `${baseUrl} does not speak HTTP (${detail}): is it https instead of http, or another port?`,
        };
      case 'refused':
        return {
          exitCode: 3,
          line: `nobody listens at ${baseUrl} (${detail}): start the target, or correct TARGET_BASE_URL`,
        };
      case 'reset':
      case 'timeout':
      case 'locked-out':
      case 'other':
        return { exitCode: 3, line: `${baseUrl} gave no answer (${detail}): is it up, and reachable from here?` };
    }
  }
  const { status, contentType = '' } = observation;
  if (status >= 300 && status < 400)
    return {
      exitCode: 2,
      line: `${baseUrl} redirects (${status}): redirects are never followed with a token; set TARGET_BASE_URL to where it leads`,
    };
  if (isSuccess(status) && /html/i.test(contentType))
    return {
      exitCode: 2,
      line: `${baseUrl} answers with an HTML page: a login page or a website stands where the API should be`,
    };
  return undefined;
}
