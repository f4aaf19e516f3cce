import type { Check } from '../checks/check.ts';
import type { Contract } from '../contract/contract.ts';
import { blamedIn } from '../judge/causes-of-checks.ts';
import { expandOnce } from '../plan/expand.ts';
import { rehearsalClock } from '../preview/rehearsal-clock.ts';
import { noJournal } from '../record/journal.ts';
import { noRedactor } from '../record/redact.ts';
import type { Session } from '../run/session.ts';
import { startSession } from '../run/start-session.ts';
import type { Transport, TransportInput } from '../send/transport.ts';
import { type Catalogue, catalogueOf } from '../settings/catalogue.ts';
import { embeddedSettings } from '../settings/read-settings.ts';
import type { LeftOpen } from './places.ts';

/** Makes the way to an imagined server, which is in memory. */
export type ServerOf = (input: TransportInput) => Transport;

export interface Planted {
  /** What it does. */
  readonly what: string;
  /** The requirement that it breaks. Undefined if any may be blamed. */
  readonly breaks: string | undefined;
  /** A requirement that says the same in this contract. */
  readonly like?: string | undefined;
  readonly server: ServerOf;
}

type Blamed = ReturnType<typeof blamedIn>[number];

/** What came of a server with a fault. */
export interface Tried extends Omit<Planted, 'server'> {
  /** `blamed wrongly`: for another requirement, alone or too, or with another verdict. */
  readonly result: 'caught' | 'missed' | 'blamed wrongly';
  readonly blamed: readonly Blamed[];
}
/** What came of the server that keeps the contract. It must conform. */
export interface Faithful {
  readonly blamed: readonly Blamed[];
  readonly ending: string;
  readonly requests: number;
  /** The requirements that nothing in the run could decide. */
  readonly inapplicable: readonly string[];
}
export interface Proof {
  readonly faithful: Faithful;
  readonly tried: readonly Tried[];
  /** What no server breaks, and why. */
  readonly unbroken: readonly LeftOpen[];
}
/** Called after each server, with how many there are. */
export type OnTried = (done: number, of: number) => void;

interface Servers {
  readonly faithful: ServerOf;
  readonly planted: readonly Planted[];
  readonly onTried: OnTried;
}

/** Whether a proof shows what it should: the faithful server is spared, and every fault caught and blamed rightly. */
export function isProven({ faithful, tried }: Proof): boolean {
  return isSpared(faithful) && tried.every(({ result }) => result === 'caught');
}

export function isSpared({ blamed, ending }: Faithful): boolean {
  return blamed.length === 0 && ending === 'conforms';
}

/** Judges servers in memory as a run judges a target. @param variables a value for each variable. */
export async function judgeServers(
  contract: Contract,
  variables: Readonly<Record<string, string>>,
  checks: readonly Check[],
  { faithful, planted, onTried }: Servers,
): Promise<Omit<Proof, 'unbroken'>> {
  const start = starter(catalogueOf(contract), variables, checks);
  const whole = planted.length + 1;
  const spared = await judgeFaithful(start(faithful));
  onTried(1, whole);
  const tried: Tried[] = [];
  for (const { server, ...one } of planted) {
    tried.push(await tryServer(start(server), one));
    onTried(tried.length + 1, whole);
  }
  return { faithful: spared, tried };
}

function starter(
  catalogue: Catalogue,
  variables: Readonly<Record<string, string>>,
  checks: readonly Check[],
): (server: ServerOf) => Session {
  const flags = { CONFORMANCE_DEPTH: 'core' };
  const settings = embeddedSettings(catalogue, variables, { flags });
  const casesAt = expandOnce(catalogue.contract);
  // Nothing that a proof records is shown or written. The id of a run is the seed of its random values.
  const own = { run: 'proof', journal: noJournal, redactor: noRedactor };
  return (transport) => startSession(settings, { checks, casesAt, transport, clock: rehearsalClock(), ...own });
}

async function judgeFaithful(session: Session): Promise<Faithful> {
  await session.sendAll();
  const { findings, ending, requirements } = session.judge();
  await session.close();
  return {
    blamed: findings.flatMap(blamedIn),
    ending,
    requests: session.sender.exchanges.length,
    inapplicable: requirements.flatMap(({ verdict, requirement: { id } }) =>
      verdict === 'not-applicable' ? [id] : [],
    ),
  };
}

/** A run goes on only until the fault is caught: first the cases, then the checks that decide its requirement, then the others. */
async function tryServer(session: Session, planted: Omit<Planted, 'server'>): Promise<Tried> {
  const blamedNow = () =>
    session.judge().findings.flatMap((one) => (one.verdict === 'inconclusive' ? [] : blamedIn(one)));
  await session.sendMatrix();
  let blamed = blamedNow();
  const own = session.checks.filter(({ requirements }) => requirements.some((id) => id === planted.breaks));
  const others = session.checks.filter((check) => !own.includes(check));
  // What reads the answers of the run reads those of all checks only after them.
  for (const check of [...own, ...others, ...own.filter(({ readsRun }) => readsRun)]) {
    if (blamed.length > 0) break;
    await session.runCheck(check);
    blamed = blamedNow();
  }
  await session.close();
  return { ...planted, blamed, result: resultOf(session.contract, planted, blamed) };
}

function resultOf(
  { requirements }: Contract,
  { breaks, like }: Omit<Planted, 'server'>,
  blamed: readonly Blamed[],
): Tried['result'] {
  if (blamed.length === 0) return 'missed';
  const wanted = requirements.find(({ id }) => id === breaks)?.level === 'must' ? 'fail' : 'warn';
  if (breaks === undefined) return 'caught';
  const isRight = blamed.every(({ requirement }) => requirement === breaks || requirement === like);
  return isRight && blamed.some(({ verdict }) => verdict === wanted) ? 'caught' : 'blamed wrongly';
}
