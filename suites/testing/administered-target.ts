import type { Administer, AdministrationAnswer } from '../../harness/commands/administration.ts';
import type { WireRequest } from '../../harness/plan/request.ts';
import { everyVariable } from '../../harness/preview/made-up-values.ts';
import type { Decision } from '../../harness/record/exchange.ts';
import { type Left, leftOn } from '../../harness/report/left.ts';
import { readSettings } from '../../harness/settings/read-settings.ts';
import type { Settings } from '../../harness/settings/settings.ts';
import { catalogue } from '../../harness/testing/contract.ts';
import { administration } from '../checks/administration/index.ts';
import { runImagined } from './imagined-run.ts';

export function settingsWith(changes: Readonly<Record<string, string | undefined>> = {}, base = ''): Settings {
  const environment = { ...everyVariable(catalogue), CONFORMANCE_CLAIMS: 'user global administration', ...changes };
  return readSettings(catalogue, {
    environment: { ...environment, ...(base && { TARGET_BASE_URL: base }) },
    dotenv: {},
  });
}

/**
 * Runs the check against an imagined target.
 * @param replace replaces the administration of the target
 * @param instead the status with which a request is answered instead of correctly, if any
 */
export async function decide(
  settings: Settings,
  replace: (right: Administer) => Administer = (right) => right,
  instead: (request: WireRequest) => number | undefined = () => undefined,
): Promise<{ decisions: readonly Decision[]; asked: string[]; requests: number; left: readonly Left[] }> {
  const asked: string[] = [];
  const { session, decisions } = await runImagined(settings, [administration], (right) => {
    const { administer } = right;
    const counted: Administer | undefined =
      administer &&
      ((request) => {
        asked.push(request.action);
        return replace(administer)(request);
      });
    const connect = () => {
      const { send, close } = right.connect();
      const changed: typeof send = async (request, ...more) => {
        const status = instead(request);
        if (status === undefined) return send(request, ...more);
        const headers = { 'retry-after': '0', 'content-type': 'application/json' };
        return { status, headers, text: '{}', truncated: false };
      };
      return { send: changed, close };
    };
    return { connect, administer: counted };
  });
  return { decisions, asked, requests: session.sender.exchanges.length, left: leftOn(session, session.judge()) };
}

export const verdicts = (decisions: readonly Decision[], id: string) =>
  decisions.filter(({ requirement }) => requirement === id).map(({ verdict }) => verdict);
export const notPassed = (decisions: readonly Decision[]) =>
  decisions.flatMap(({ requirement, verdict }) => (verdict === 'pass' ? [] : [`${requirement}: ${verdict}`]));
export const unsupported: AdministrationAnswer = { kind: 'unsupported', why: 'not here' };
