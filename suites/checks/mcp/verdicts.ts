import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { type Decided, decisionOn, type Unit } from '../shared/decision.ts';

/** The reference service must follow all advice on the remote MCP server. */
export const OWN = 'reference.mcp';

/** The operation in reports. Its messages are steps. */
export const MCP = 'mcp';

/** A decision on a requirement that binds every target. */
export const decide = (api: CheckApi, requirement: string, kind: string, decided: Decided): CheckResult =>
  decisionOn(api, { requirement, operation: MCP, kind }, decided);

/** A decision on advice. The reference service must follow it, so there a warning is also a failure. */
export function advise(api: CheckApi, requirement: string, kind: string, decided: Decided): CheckResult[] {
  const unit: Unit = { requirement, operation: MCP, kind };
  const own: Decided = decided.verdict === 'warn' ? { ...decided, verdict: 'fail' } : decided;
  return [
    decisionOn(api, unit, decided),
    ...(api.trusted ? [decisionOn(api, { ...unit, requirement: OWN }, own)] : []),
  ];
}

/** The values of a parameter in all challenges of an answer (RFC 9110 11.6.1). */
export function challenged(header: string | string[] | undefined, parameter: string): string | undefined {
  const value = [header ?? []].flat().join(', ');
  return new RegExp(`(?:^|[\\s,])${parameter}="([^"]*)"`).exec(value)?.[1];
}
