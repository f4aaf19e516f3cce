import type { Check } from '../checks/check.ts';
import type { Contract } from '../contract/contract.ts';
import type { WrittenContract } from '../contract/written-contract.ts';
import { blamedIn } from '../judge/causes-of-checks.ts';
import { type CasesAt, expandOnce } from '../plan/expand.ts';
import { rehearsalClock } from '../preview/rehearsal-clock.ts';
import { noJournal } from '../record/journal.ts';
import { noRedactor } from '../record/redact.ts';
import { startSession } from '../run/start-session.ts';
import { catalogueOf } from '../settings/catalogue.ts';
import { embeddedSettings } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { type Draft, faultsOf, type LeftOpen, leftOpenIn } from './faults.ts';
import { madeUpVariables, serverOf, transportTo } from './imagined-server.ts';
import type { Fault } from './server/evaluator.ts';
import type { Server } from './server/facts.ts';

type Blamed = ReturnType<typeof blamedIn>[number];

/** What came of a server with a fault. */
export interface Tried extends Draft {
  /** `blamed wrongly`: for another requirement, alone or too, or with another verdict. */
  readonly result: 'caught' | 'missed' | 'blamed wrongly';
  readonly blamed: readonly Blamed[];
}
/** What imagined servers show of a contract. */
export interface Proof {
  /** What the faithful server was blamed for, and how its run ended: it must conform. */
  readonly faithful: { readonly blamed: readonly Blamed[]; readonly ending: string; readonly requests: number };
  readonly tried: readonly Tried[];
  /** Requirements that this contract cannot show, so that no server breaks them. */
  readonly notShown: readonly { readonly requirement: string; readonly reason: string }[];
  /** Requirements that can be decided and that no server breaks, because this proof has no fault for them. */
  readonly withoutFault: readonly string[];
  readonly leftOpen: readonly LeftOpen[];
}
/** Called after each server, with how many there are. */
export type OnTried = (done: number, of: number) => void;

/**
 * Judges servers in memory that were made from a contract: one that keeps it, and one with each fault. Sends nothing.
 * @param judged the contract that judges. Only a test gives another one than what was written, to see that this is noticed.
 */
export async function proveContract(
  written: WrittenContract,
  judged: Contract,
  checks: readonly Check[],
  onTried: OnTried = () => undefined,
): Promise<Proof> {
  const catalogue = catalogueOf(judged);
  const variables = madeUpVariables(catalogue);
  const flags = { CONFORMANCE_DEPTH: 'core' };
  const settings = embeddedSettings(catalogue, variables, { environment: {}, dotenv: {}, flags });
  const world = { settings, checks, casesAt: expandOnce(judged), server: serverOf(written, catalogue, variables) };
  const planted = faultsOf({ written, operations: judged.operations });
  const whole = planted.length + 1;
  const faithful = await faithfulOf(world);
  onTried(1, whole);
  const tried: Tried[] = [];
  for (const one of planted) {
    tried.push(await tryFault(world, one));
    onTried(tried.length + 1, whole);
  }
  const broken = new Set(planted.map(({ breaks }) => breaks));
  const { requirements } = judged;
  return {
    faithful,
    tried,
    notShown: requirements.flatMap(({ id, excluded }) =>
      excluded === undefined ? [] : [{ requirement: id, reason: excluded }],
    ),
    withoutFault: requirements.flatMap(({ id, excluded }) => (excluded === undefined && !broken.has(id) ? [id] : [])),
    leftOpen: leftOpenIn(written),
  };
}

interface World {
  readonly settings: Settings;
  readonly checks: readonly Check[];
  readonly casesAt: CasesAt;
  readonly server: Server;
}

function sessionWith({ settings, checks, casesAt, server }: World, fault?: Fault) {
  const transport = () => transportTo(server, settings.baseUrl, fault);
  // Nothing that a proof records is shown or written. The id of a run is the seed of its random values.
  const own = { run: 'proof', journal: noJournal, redactor: noRedactor, clock: rehearsalClock(), transport };
  return startSession(settings, { checks, casesAt, ...own });
}

async function faithfulOf(world: World): Promise<Proof['faithful']> {
  const session = sessionWith(world);
  await session.sendAll();
  const { findings, ending } = session.judge();
  await session.close();
  return { blamed: findings.flatMap(blamedIn), ending, requests: session.sender.exchanges.length };
}

/** A run goes on only until the fault is caught: first the cases, then the checks that can decide its requirement. */
async function tryFault(world: World, planted: Draft): Promise<Tried> {
  const session = sessionWith(world, planted.fault);
  const blamedNow = () =>
    session.judge().findings.flatMap((one) => (one.verdict === 'inconclusive' ? [] : blamedIn(one)));
  await session.sendMatrix();
  let blamed = blamedNow();
  for (const check of session.checks) {
    if (blamed.length > 0) break;
    if (!check.requirements.includes(planted.breaks)) continue;
    await session.runCheck(check);
    blamed = blamedNow();
  }
  await session.close();
  const { level } = world.settings.catalogue.contract.requirements.find(({ id }) => id === planted.breaks) ?? {};
  const wanted = level === 'must' ? 'fail' : 'warn';
  const isRight = blamed.every(({ requirement, verdict }) => requirement === planted.breaks && verdict === wanted);
  return { ...planted, blamed, result: blamed.length === 0 ? 'missed' : isRight ? 'caught' : 'blamed wrongly' };
}
