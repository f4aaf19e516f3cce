import { closeSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configurationError, errorCause, isConfigurationError, writeError } from '../contract/configuration-error.ts';
import { packageFolder, readOwn } from '../contract/package-files.ts';
import { readRegularFile } from '../contract/read-file.ts';
import { explain } from '../contract/schema-errors.ts';
import { validatorOf } from '../contract/validator.ts';
import { inAscii, visible } from '../contract/visible-text.ts';
import { entriesOf, type JournalEntry } from './exchange.ts';
import { afterLockouts } from './lockout.ts';
import { type ReportFolder, takeReportFolder, writerOf } from './report-folder.ts';

export interface Journal {
  append(entry: JournalEntry): void;
  close(): void;
  /** Closes the journal of a run that decided nothing. The journal of the earlier run takes its place again. */
  withdraw(): void;
}

/**
 * Opens `journal.ndjson` in a folder, as a new file. Entries are written at the end of each turn of the event loop, so a
 * killed run leaves all entries of earlier turns.
 * @param onFull is called once, with the reason, when the journal cannot be written any more, as on a full disk. By
 * default this throws a configuration error.
 * @param writeLines writes lines to the file; a test replaces it to simulate a full disk.
 * @throws a configuration error if the folder cannot be written, or belongs to somebody else (`takeReportFolder`).
 */
export function openJournal(
  folder: string,
  onFull: (reason: string) => void = refuse,
  writeLines: (descriptor: number, lines: string) => void = writeFileSync,
): Journal {
  const taken = takeOrRefuse(folder);
  const { file, descriptor } = taken;
  let open = true;
  let pendingLines: string[] = [];
  let count = 0;
  const end = () => {
    open = false;
    process.off('exit', write);
    closeSync(descriptor);
    taken.release();
  };
  const write = () => {
    if (!open || pendingLines.length === 0) return;
    const lines = pendingLines.join('');
    pendingLines = [];
    try {
      writeLines(descriptor, lines);
    } catch (error) {
      end();
      onFull(`cannot write ${file} any more (${errorCause(error)}); it holds everything up to now`);
    }
  };
  // If an error ends the process, there is no next turn of the event loop.
  process.once('exit', write);
  return {
    append(entry) {
      if (!open) return;
      if (pendingLines.length === 0) setImmediate(write);
      pendingLines.push(`${inAscii(JSON.stringify(entry.type === 'end' ? { ...entry, entries: count } : entry))}\n`);
      count += 1;
    },
    close() {
      write();
      if (open) end();
    },
    withdraw() {
      write();
      if (open) end();
      taken.restore();
    },
  };
}

function takeOrRefuse(folder: string): ReportFolder {
  try {
    return takeReportFolder(folder);
  } catch (error) {
    if (isConfigurationError(error)) throw error;
    throw configurationError(
      `cannot write ${join(folder, 'journal.ndjson')} (${errorCause(error)}); name another folder with CONFORMANCE_REPORT_DIR or --report-dir`,
    );
  }
}

function refuse(reason: string): never {
  throw writeError(reason);
}

/** A journal that writes nothing, for runs that need none, such as a rehearsal. */
export const noJournal: Journal = { append: () => undefined, close: () => undefined, withdraw: () => undefined };

export interface JournalLine {
  readonly line: number;
  readonly entry: JournalEntry;
}

/** Reads a journal, but for an incomplete last line. @throws a configuration error if it cannot be read, or is damaged otherwise. */
export function readJournal(file: string): readonly JournalEntry[] {
  return entriesIn(readJournalLines(file));
}

/** The entries of the lines as they are judged: a refusal during a lockout is a failure, as it was in the run. */
export function entriesIn(lines: readonly JournalLine[]): readonly JournalEntry[] {
  return withLockouts(lines.map(({ entry }) => entry));
}

/** The lines of a journal as they were written. @throws a configuration error if it cannot be read, or is damaged otherwise. */
export function readJournalLines(file: string): readonly JournalLine[] {
  const writer = writerOf(dirname(file));
  if (writer !== undefined && writer !== process.pid)
    throw configurationError(`cannot read ${file} yet: a run (process ${writer}) still writes it; wait for its end`);
  let text: string;
  try {
    text = readRegularFile(file).toString();
  } catch (error) {
    throw configurationError(
      `cannot read ${file} (${errorCause(error)}); a run writes its journal into its report folder`,
    );
  }
  const validate = validatorOf<JournalEntry>('journal');
  const lines = text.split('\n');
  const last = lines.length - 1;
  return lines.flatMap((line, index): JournalLine[] => {
    if (line === '') return [];
    const at = `${file}: line ${index + 1}`;
    let entry: unknown;
    try {
      entry = JSON.parse(line);
    } catch {
      if (index === last) return [];
      throw configurationError(`${at} is not JSON`);
    }
    if (validate(entry)) return [{ line: index + 1, entry: withoutForeignCommand(entry) }];
    const [error] = validate.errors ?? [];
    throw configurationError(`${at} is not a journal entry${error ? `: ${explain(error)}` : ''}`);
  });
}

/** Drops a command line that no check makes: reports tell people to paste it. */
function withoutForeignCommand(entry: JournalEntry): JournalEntry {
  if (entry.type !== 'decision') return entry;
  const { curl, commands, ...decision } = entry;
  const own = Object.entries(commands ?? {}).filter(([, command]) => isCommandLine(command));
  return {
    ...decision,
    ...(curl !== undefined && isCommandLine(curl) && { curl }),
    ...(own.length > 0 && { commands: Object.fromEntries(own) }),
  };
}

/** The entries without lockouts. */
function withLockouts(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const lockouts = entriesOf(entries, 'lockout');
  if (lockouts.length === 0) return entries;
  const others = entries.filter(({ type }) => type !== 'lockout');
  return others.map((entry) => (entry.type === 'exchange' ? afterLockouts(entry, lockouts) : entry));
}

export const suiteVersion: string = JSON.parse(readOwn(join(packageFolder, 'package.json'))).version;

/**
 * Whether a text is one of the command lines that plans and checks make, so that a person can paste it: it sends one
 * request to the target, or one without variables to another server, and runs, reads and writes nothing else. A journal
 * may come from somebody else, and a target chooses the addresses of other servers.
 */
export function isCommandLine(text: string): boolean {
  // A shell expands the history in each line that is pasted, whatever quotes the lines before have opened.
  // What the redactor left out or masked (redact.ts) cannot be sent again, and what is unseen would be shown otherwise.
  if (visible(text) !== text || /<left out: |<[A-Z][A-Z\d_]{3,}[ >]/.test(text)) return false;
  return CURL.test(text) || PACKED.test(text) || VISIT.test(text) || SOCKET.test(text);
}

/** The names of the variables that a command line may contain, and perhaps more. */
export function variablesIn(line: string): readonly string[] {
  return [...line.matchAll(/\\[\s\S]|\$\{?([A-Za-z_]\w*)/g)].flatMap(([, name]) => name ?? []);
}

/** Text in single quotes, with `'` as `'\''`; and in those of `$'...'`. */
const SINGLE = String.raw`'[^']*'(?:\\''[^']*')*`;
const ESCAPED = String.raw`\$'(?:[^'\\]|\\[\s\S])*'`;
/** Bytes that are unseen as they are (check-curl.ts). Others, such as `@`, would hide what curl is told. */
const BYTE = String.raw`\\x(?:0[1-9bcef]|[189a-f][0-9a-f]|23|7f)`;
/** A part of a text in double quotes that is no variable. Line breaks are for bodies: in a header, they would begin another. */
const PART = String.raw`\\[\\"\u0060$]|"'!'"|"\$'(?:${BYTE})+'"`;
const BREAKS = String.raw`"\$'(?:${BYTE}|\\x0[ad])+'"`;
/**
 * A part of a text in double quotes: it may name variables, and runs only one command. In double quotes, an interactive
 * shell replaces `!!` by the last command, so `!` is in single quotes (curl.ts).
 */
const VALUE = String.raw`${PART}|\$[A-Za-z_]\w*(?!\w)|\$\{[A-Z0-9_]+(?::\d+){0,2}(?:#\*@|//\\"/\\\\\\")?\}|\$\((?:openssl rand -hex 32|printf %s:x \$\(openssl rand -hex 16\) \| base64)\)|\$\(printf '%\d+s' \| tr ' ' [A-Za-z\d]\)|\$(?![\w({\[$'"])`;
const INSIDE = String.raw`(?:[^"\\\u0060$!]|${VALUE})*`;
const BODY = `(?:${INSIDE}|${BREAKS})*`;
/** curl sends a request for each `[1-9]` and `{a,b}` in an address, unless it has the option -g. */
const ADDRESS = String.raw`(?:[^"\\\u0060$!{}[\]]|${VALUE})*`;
const TO_TARGET = String.raw`\$(?:TARGET_BASE_URL(?=[/?"])|MCP_URL(?="))`;
const URL = `(?:"${TO_TARGET}${ADDRESS}"|-g "${TO_TARGET}${INSIDE}")`;
/** curl would read a value that begins with @ from a file, except that of --data-raw. */
const OPTION = `--cert "\\$CONFORMANCE_CLIENT_CERT" --key "\\$CONFORMANCE_CLIENT_KEY"|-H "(?!@)${INSIDE}"|-H (?!'@)${SINGLE}|-d (?!'@)${SINGLE}|--data-raw "${BODY}"`;

const CURL = new RegExp(
  `^curl -sS -i(?: --http1\\.0| --http2| --connect-to "::\\$ADDRESS:")?(?: --path-as-is)?(?: -X [A-Za-z-]+)? ${URL}(?: (?:${OPTION}))*$`,
);
/** A body that is compressed. */
const PACKED = new RegExp(
  `^printf %s "${BODY}" \\| gzip \\| curl -sS -i(?: -X [A-Z]+)? ${URL}(?: (?:${OPTION}))* --data-binary @-$`,
);
/** A request to another server, such as the authorization server. It names no variable, so it cannot send a token there. */
const ELSEWHERE = String.raw`(?:"https?://(?:[^\s"\\\u0060$!{}[\]]|"'!'")*"|-g "https?://(?:[^\s"\\\u0060$!]|"'!'")*")`;
const WITHOUT = String.raw`(?:[^"\\\u0060$!]|${PART})*`;
const WITHOUT_VARIABLES = `-H "(?!@)${WITHOUT}"|-H (?!'@)${SINGLE}|-d (?!'@)${SINGLE}|--data-raw "(?:${WITHOUT}|${BREAKS})*"`;
const VISIT = new RegExp(`^curl -sS -i(?: -X [A-Z]+)? ${ELSEWHERE}(?: (?:${WITHOUT_VARIABLES}))*$`);
const SOCKET = new RegExp(String.raw`^printf ${ESCAPED} \| nc <host and port of TARGET_BASE_URL>$`);
