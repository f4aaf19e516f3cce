import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { type Assessment, confirm } from '../shared/confirm.ts';
import { fail, inconclusive, observed, pass, warn } from '../shared/decision.ts';
import { type Lines, type Told, tell } from './message.ts';
import type { NamedToken } from './tokens.ts';
import { advise, challenged, decide } from './verdicts.ts';

/** A message with a token that should be refused, beside one that was accepted. */
export interface Attempt {
  readonly kind: string;
  readonly operation: Operation;
  readonly headers: Lines;
  readonly acceptance: Acceptance;
  readonly token: NamedToken;
}

/** What a wrong token breaks, and the status that it should get. */
interface Wanted {
  readonly requirement: 'mcp.token' | 'mcp.scope';
  readonly status: number;
}

/** That it is refused is a must. The status and the challenge are advice. */
export async function refused(
  api: CheckApi,
  { kind, operation, headers, acceptance, token: { how, credential } }: Attempt,
  { requirement, status }: Wanted,
): Promise<CheckResult[]> {
  const shows = `${how} is refused for ${operation.id}`;
  const wanted = 'refused';
  const { got } = await confirm(() => tell(api, { operation, credential, headers, shows, wanted }), asRefused);
  if (got.kind === 'lost') return [decide(api, requirement, kind, inconclusive(got.why))];
  if (got.kind === 'accepted') return [decide(api, requirement, kind, fail(got.answer, `${how} is accepted`))];
  const { observation, headers: given } = got.answer;
  const came = observation.kind === 'answer' ? observation.status : undefined;
  const advice = (requirement: string, isRight: boolean, problem: string) =>
    advise(api, requirement, kind, isRight ? pass(acceptance, shows) : warn(got.answer, problem));
  const challenge = given['www-authenticate'];
  return [
    decide(api, requirement, kind, pass(acceptance, shows)),
    ...advice('mcp.status', came === status, `${how} gets ${came}, wanted ${status}`),
    ...(came === 403
      ? advice(
          'mcp.challenge-scope',
          challenged(challenge, 'error') === 'insufficient_scope' && names(challenge, operation.scope),
          `${how} gets no challenge insufficient_scope that names ${operation.scope}`,
        )
      : []),
  ];
}

const names = (challenge: string | string[] | undefined, scope: string) =>
  challenged(challenge, 'scope')?.split(' ').includes(scope) === true;

/** RFC 8707 2: a token is for the resource that it was requested for. */
export async function audience(
  api: CheckApi,
  { kind, operation, headers, acceptance, token: { how, credential } }: Attempt,
): Promise<CheckResult[]> {
  const shows = `${how} is refused for ${operation.id}`;
  const { kind: found, got } = await confirm(
    () => tell(api, { operation, credential, headers, shows, wanted: 'refused' }),
    asRefused,
  );
  if (found === 'lost') return advise(api, 'mcp.audience', kind, observed('no answer came'));
  return advise(
    api,
    'mcp.audience',
    kind,
    found === 'right' ? pass(acceptance, shows) : warn(got.answer, `${how} is accepted`),
  );
}

function asRefused({ kind }: Told): Assessment {
  switch (kind) {
    case 'accepted':
      return 'wrong at once';
    case 'refused':
      return 'right';
    case 'lost':
      return 'lost';
  }
}
