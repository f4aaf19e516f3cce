import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { configurationError, errorCode } from '../contract/configuration-error.ts';
import { visible } from '../contract/visible-text.ts';

const JOURNAL = 'journal.ndjson';
/** The journal that belongs to the reports in the folder, while a later run has not written its own. */
const EARLIER = 'journal.earlier.ndjson';
const LOCK = 'running.json';
/** The facts of the last runs. */
export const HISTORY = 'history.json';
const PAGE = 'report.html';
/** What a pipeline reads after each run. */
const JUNIT = 'junit.xml';
const WRITTEN = [PAGE, 'report.json', JUNIT];
/** The footer of report.html names the program that wrote it. */
const OWN_PAGE = 'client-api-conformance';

/** A report folder while one run writes to it. */
export interface ReportFolder {
  readonly file: string;
  readonly descriptor: number;
  /** Another run may use the folder again. */
  release(): void;
  /** Puts the journal of the earlier run in its place again, if there was one. */
  restore(): void;
}

/**
 * Takes a report folder for one run, and opens a new journal in it. The journal of an earlier run is kept beside it until this
 * run writes its reports.
 * @throws a configuration error if another run writes there, if the folder holds a report of another program, or if it is a
 * symbolic link.
 */
export function takeReportFolder(folder: string): ReportFolder {
  makePrivateFolder(folder);
  const whole = [...WRITTEN, HISTORY].map(whileWritten);
  for (const name of [JOURNAL, EARLIER, LOCK, ...WRITTEN, ...whole]) refuseOther(join(folder, name));
  refuseForeignPage(folder);
  const file = join(folder, JOURNAL);
  refuseLink(join(folder, HISTORY));
  const lock = join(folder, LOCK);
  takeLock(folder, lock);
  const earlier = join(folder, EARLIER);
  // After a run that was killed, the older journal is still the one that the reports belong to.
  const release = () => whereAllowed(() => rmSync(lock, { force: true }));
  const restore = () => whereAllowed(() => existsSync(earlier) && renameSync(earlier, file));
  try {
    if (existsSync(file) && !existsSync(earlier)) renameSync(file, earlier);
    // A run that ends without a report, or is killed, must not be taken for the one before.
    rmSync(join(folder, JUNIT), { force: true });
    return { file, descriptor: openPrivate(file), release, restore };
  } catch (error) {
    restore();
    release();
    throw error;
  }
}

/**
 * Tidies up. Where somebody changed the folder during the run, that stays undone: a later run understands what is left, and what
 * this run has to say counts more.
 */
function whereAllowed(work: () => unknown): void {
  try {
    work();
  } catch {
    return;
  }
}

/** Forgets the journal of the earlier run: the reports in the folder are about to be those of the journal in place. */
export function forgetEarlierJournal(folder: string): void {
  rmSync(join(folder, EARLIER), { force: true });
}

function refuseForeignPage(folder: string): void {
  const page = join(folder, PAGE);
  if (existsSync(page) && !readFileSync(page, 'utf8').includes(OWN_PAGE))
    throw configurationError(
      `${visible(page)} was written by another program, and this run would replace it; name another folder with CONFORMANCE_REPORT_DIR or --report-dir`,
    );
}

/** The process that holds a lock. Its start tells it from a later process with the same number, as in containers. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

function own(): Holder {
  return { pid: process.pid, host: hostname(), since: Math.floor(performance.timeOrigin) };
}

function takeLock(folder: string, lock: string): void {
  const writer = writerOf(folder);
  if (writer !== undefined)
    throw configurationError(
      `another run (process ${writer}) writes to ${visible(folder)}; wait for its end, or name another folder with CONFORMANCE_REPORT_DIR or --report-dir`,
    );
  rmSync(lock, { force: true });
  writeFileSync(lock, JSON.stringify(own()), { flag: 'wx', mode: 0o600 });
}

/** The process that is writing to a report folder, whose journal and reports do not belong together yet. Undefined if none is. */
export function writerOf(folder: string): number | undefined {
  const holder = readHolder(join(folder, LOCK));
  return holder && isRunning(holder) ? holder.pid : undefined;
}

function readHolder(lock: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(lock, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/** Whether the process that holds a lock still runs. One of another machine cannot be asked, and a folder from a cache has such locks. */
function isRunning({ pid, host, since }: Holder): boolean {
  if (host !== own().host || !Number.isInteger(pid) || pid <= 0) return false;
  if (pid === own().pid) return since === own().since;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Creates a folder that only its owner can enter. A folder that exists already keeps its permissions: it may hold more
 * than reports.
 * @throws a configuration error if the folder is a symbolic link.
 */
export function makePrivateFolder(folder: string): void {
  refuseLink(folder);
  makeFolder(resolve(folder));
}

/**
 * Creates a folder, and first the one that it is in. `mkdirSync` can do both, but never ends where no folder can be made, as in
 * /proc. Another run may make the same folder at the same time.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (folder !== dirname(folder)) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/**
 * Creates a file that only its owner can read, and removes an older one first: that could be open in another process,
 * readable by others, or a hard link.
 * @returns its descriptor.
 * @throws a configuration error if the file or its folder is a symbolic link, which could lead anywhere.
 */
function openPrivate(file: string): number {
  refuseLink(dirname(file));
  refuseLink(file);
  rmSync(file, { force: true });
  // `wx` never opens what exists, so a link that appears in the meantime is an error too.
  return openSync(file, 'wx', 0o600);
}

/**
 * Writes a whole file that only its owner can read, in the place of an older one, at once: a full disk, or a run that is killed
 * meanwhile, leaves one of the two. A part of a report would look like the report of another program.
 */
export function writePrivate(file: string, text: string): void {
  refuseLink(file);
  const whole = whileWritten(file);
  writeWhole(whole, openPrivate(whole), text);
  renameSync(whole, file);
}

function whileWritten(file: string): string {
  return `${file}.new`;
}

/** Writes a whole file that does not exist yet, or none: a part of one would be in the way of the next attempt. */
export function writeNew(file: string, text: string, mode?: number): void {
  writeWhole(file, openSync(file, 'wx', mode), text);
}

function writeWhole(file: string, descriptor: number, text: string): void {
  try {
    writeFileSync(descriptor, text);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** @throws a configuration error if a path is neither a regular file nor free, before a run that could not write there. */
function refuseOther(path: string): void {
  refuseLink(path);
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw configurationError(
      `${path} is no file, and a run writes one there; move it away, or name another folder with CONFORMANCE_REPORT_DIR or --report-dir`,
    );
}

/** @throws a configuration error if a path is a symbolic link. */
export function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw configurationError(
      `${path} is a symbolic link, and reports are never written through one; remove it, or name another folder with CONFORMANCE_REPORT_DIR or --report-dir`,
    );
}
