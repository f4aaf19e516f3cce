import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { type Decided, decisionOn, type Unit } from '../shared/decision.ts';

/** The reference service must follow all advice on the remote MCP server. */
export const OWN = 'reference.mcp';

/** What a decision is about: a message, or the whole server. */
export type Where = Pick<Unit, 'operation' | 'kind'>;

/** The whole server, in reports. */
export const wholeServer = (kind: string): Where => ({ operation: 'any', kind });

/** What a token breaks that is accepted without MCP. Section 5.4 speaks of service-issued tokens. */
export const scopeRequirement = ({ contract }: CheckApi, kind: string) =>
  contract.matrix.kinds[kind]?.family === 'service' ? 'mcp.scope' : 'mcp.permission';

/** A decision on a requirement that binds every target. */
export const decide = (api: CheckApi, requirement: string, where: Where, decided: Decided): CheckResult =>
  decisionOn(api, { requirement, ...where }, decided);

/** A decision on advice. The reference service must follow it, so there a warning is also a failure. */
export function advise(api: CheckApi, requirement: string, where: Where, decided: Decided): CheckResult[] {
  const own: Decided = decided.verdict === 'warn' ? { ...decided, verdict: 'fail' } : decided;
  return [decide(api, requirement, where, decided), ...(api.trusted ? [decide(api, OWN, where, own)] : [])];
}

/** The values of a parameter in all challenges of an answer (RFC 9110 11.6.1). */
export function challenged(header: string | string[] | undefined, parameter: string): string | undefined {
  const value = [header ?? []].flat().join(', ');
  return new RegExp(`(?:^|[\\s,])${parameter}="([^"]*)"`).exec(value)?.[1];
}
