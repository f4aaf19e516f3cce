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
import { faultsOf, leftOpenIn } from './faults.ts';
import { madeUpVariables, serverOf, transportTo } from './imagined-server.ts';
import type { Draft } from './refusals.ts';
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
  /** The requirements that no server breaks, and why this contract cannot show them. Without a reason, the proof has no fault. */
  readonly unbroken: readonly { readonly requirement: string; readonly reason: string | undefined }[];
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
  const frame = { written, operations: judged.operations };
  const planted = faultsOf(frame);
  const whole = planted.length + 1;
  const faithful = await faithfulOf(world);
  onTried(1, whole);
  const tried: Tried[] = [];
  for (const one of planted) {
    tried.push(await tryFault(world, one));
    onTried(tried.length + 1, whole);
  }
  const broken = new Set(planted.map(({ breaks }) => breaks));
  const leftOpen = new Map(leftOpenIn(frame).map(({ requirement, reason }) => [requirement, reason]));
  const unbroken = judged.requirements.flatMap(({ id, excluded = leftOpen.get(id) }) =>
    broken.has(id) ? [] : [{ requirement: id, reason: excluded }],
  );
  return { faithful, tried, unbroken };
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

/** A run goes on only until the fault is caught: first the cases, then the checks that can decide its requirement, then the others. */
async function tryFault(world: World, planted: Draft): Promise<Tried> {
  const session = sessionWith(world, planted.fault);
  const blamedNow = () =>
    session.judge().findings.flatMap((one) => (one.verdict === 'inconclusive' ? [] : blamedIn(one)));
  await session.sendMatrix();
  let blamed = blamedNow();
  const own = session.checks.filter(({ requirements }) => requirements.includes(planted.breaks));
  const others = session.checks.filter((check) => !own.includes(check));
  // What reads the answers of the run reads those of all checks only after them.
  for (const check of [...own, ...others, ...own.filter(({ readsRun }) => readsRun)]) {
    if (blamed.length > 0) break;
    await session.runCheck(check);
    blamed = blamedNow();
  }
  await session.close();
  return { ...planted, blamed, result: resultOf(world.settings.catalogue.contract, planted, blamed) };
}

function resultOf({ requirements }: Contract, { breaks, like }: Draft, blamed: readonly Blamed[]): Tried['result'] {
  if (blamed.length === 0) return 'missed';
  const wanted = requirements.find(({ id }) => id === breaks)?.level === 'must' ? 'fail' : 'warn';
  const isRight = ({ requirement, verdict }: Blamed) =>
    (requirement === breaks || requirement === like) && verdict === wanted;
  return blamed.every(isRight) ? 'caught' : 'blamed wrongly';
}
