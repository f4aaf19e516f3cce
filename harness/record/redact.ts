import { literal } from '../contract/visible-text.ts';
import type { Settings } from '../settings/settings.ts';
import { isSecret, NOBODY } from '../settings/variables.ts';
import { SHARED_RUN } from './secret-forms.ts';
import { createSecretPieces } from './secret-pieces.ts';

/** A target sends the same headers and refusals thousands of times, so this many texts are remembered. */
const MOST_KNOWN = 4096;
/** Characters of a text that is remembered. */
const LONGEST_KNOWN = 1024;
/** Characters of a text that are read and shown. */
export const LONGEST = 4096;

const LEFT_OUT = '<left out: ';
/** Whether the redactor left this text out as a whole, so that nobody knows what it said. */
export function isLeftOut(text = ''): boolean {
  return text.startsWith(LEFT_OUT);
}

/**
 * Decides what may be shown of a text. Every secret, and every run of 12 characters shared with one, is replaced by its
 * label: `<USER_TOKEN>`. A text from which a secret can be read in another way, or in pieces (secret-pieces.ts), is left out
 * as a whole, because what surrounds the secret may show the rest of it.
 */
export interface Redactor {
  /** Registers a secret, also one derived from another, before it can reach any output. */
  add(label: string, secret: string): void;
  /** @param between what joins parts that many texts share. Each part is read once. */
  text(text: string, between?: RegExp): string;
  /** Redacts texts that are shown side by side: pieces of a secret count together. */
  together<T>(work: () => T): T;
  /** Texts that are long and never alike took much time already, so that less of the next ones should be shown. */
  readonly hasReadMuch: boolean;
}
/** A part of a text that shows a secret, from one index up to another. */
interface Match {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** @param ours what the suite writes itself, such as the names of variables. A token that has its words keeps the rest secret. */
export function createRedactor(ours: readonly string[] = []): Redactor {
  const secrets = new Set<string>();
  const runs = new Map<string, string>();
  const short = new Map<string, string>();
  const addresses: { readonly label: string; readonly pattern: RegExp }[] = [];
  const pieces = createSecretPieces(ours);
  let isTogether = false;
  const known = new Map<string, string>();
  // A filter on three characters: it skips nearly every position of a text that has no secret.
  const heads = new Uint8Array(65536);
  const headOf = (text: string, at: number) =>
    (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1009 + text.charCodeAt(at + 5) * 7919) & 65535;

  const findRuns = (text: string, found: Match[]) => {
    for (let at = 0; at + SHARED_RUN <= text.length; at += 1) {
      const label = heads[headOf(text, at)] === 1 ? runs.get(text.slice(at, at + SHARED_RUN)) : undefined;
      if (label !== undefined) found.push({ from: at, to: at + SHARED_RUN, label });
    }
  };
  const findShort = (text: string, found: Match[]) => {
    for (const [secret, label] of short)
      for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length))
        found.push({ from: at, to: at + secret.length, label });
  };
  const findAddresses = (text: string, found: Match[]) => {
    if (addresses.length === 0 || !AT.test(text)) return;
    for (const { label, pattern } of addresses)
      for (const { index, 0: address } of text.matchAll(pattern))
        found.push({ from: index, to: index + address.length, label });
  };

  const redacted = (whole: string, between: RegExp | undefined) => {
    const text = whole.slice(0, LONGEST);
    const found: Match[] = [];
    findRuns(text, found);
    findShort(text, found);
    findAddresses(text, found);
    if (!isTogether) pieces.begin();
    // The labels of masks are no part of the text. No secret contains what replaces them here.
    const masked = found.length === 0 ? text : mask(text, found, () => '@@');
    let isSettled = whole.length <= LONGEST_KNOWN;
    for (const part of between ? masked.split(between) : [masked]) {
      const shown = pieces.look(part);
      if (typeof shown === 'object')
        return { shown: `${LEFT_OUT}it shows ${shown.label} in another form>`, isSettled: false };
      if (shown === 'little') isSettled = false;
    }
    return { shown: found.length === 0 ? text : mask(text, found, (label) => `<${label}>`), isSettled };
  };

  return {
    add(label, secret) {
      // Most variables are added again as the token of a credential.
      if (secret.length === 0 || secrets.has(secret)) return;
      secrets.add(secret);
      known.clear();
      const at = /^[^@\s]+@[^@\s]+$/.test(secret) ? secret.indexOf('@') : -1;
      pieces.add(label, secret);
      if (at > 0) addresses.push({ label, pattern: addressPattern(secret.slice(0, at), secret.slice(at + 1)) });
      if (secret.length < SHARED_RUN) {
        short.set(secret, label);
        return;
      }
      // A domain is not secret (the target may use it), so only runs that include a part of the name or the @ count.
      const last = at > 0 ? at : secret.length;
      for (let start = 0; start + SHARED_RUN <= secret.length && start <= last; start += 1) {
        const run = secret.slice(start, start + SHARED_RUN);
        if (runs.has(run)) continue;
        runs.set(run, label);
        heads[headOf(run, 0)] = 1;
      }
    },
    text(text, between) {
      const before = known.get(text);
      if (before !== undefined) return before;
      const { shown, isSettled } = redacted(text, between);
      if (!isSettled) return shown;
      if (known.size === MOST_KNOWN) known.clear();
      known.set(text, shown);
      return shown;
    },
    together(work) {
      pieces.begin();
      isTogether = true;
      try {
        return work();
      } finally {
        isTogether = false;
      }
    },
    get hasReadMuch() {
      return pieces.hasReadMuch;
    },
  };
}

/** Shows everything, for a rehearsal: it sends nothing, and nothing that it records is shown or written. */
export const noRedactor: Redactor = {
  add: () => undefined,
  text: (text) => text,
  together: (work) => work(),
  hasReadMuch: false,
};

/** A redactor that knows every secret in the settings of a run. */
export function redactorFor({
  catalogue,
  variables,
  extraHeaders,
  baseUrl,
  minted = new Map(),
}: SecretSettings): Redactor {
  const { operations } = catalogue.contract;
  const sent = operations.flatMap(({ example, path }) => [path, JSON.stringify(example ?? '')]);
  // A prefix of its path may hold a secret.
  const origin = baseUrl === undefined ? '' : new URL(baseUrl).origin;
  const redactor = createRedactor([...catalogue.names, ...sent, origin]);
  // The names of extra headers are no secrets, and may have words such as `application`. Each value is added by itself.
  const isWhole = (name: string) => isSecret(catalogue.contract, name) && name !== 'CONFORMANCE_EXTRA_HEADERS';
  for (const [name, { value }] of variables) if (isWhole(name) && value !== NOBODY) redactor.add(name, value);
  for (const [name, value] of extraHeaders)
    for (const secret of secretsIn(value)) redactor.add(`CONFORMANCE_EXTRA_HEADERS ${name}`, secret);
  for (const [key, made] of minted) if ('token' in made) redactor.add(`TOKEN_COMMAND ${key}`, made.token);
  return redactor;
}

/** The value of a header, its credentials, and what they hold in base64: a name and a password (RFC 7617 2). */
function secretsIn(value: string): readonly string[] {
  const credentials = /^[\w-]+ +([A-Za-z0-9+/_-]{4,}={0,2})$/.exec(value)?.[1];
  if (credentials === undefined) return [value];
  const held = Buffer.from(credentials, 'base64').toString();
  const isText = /^[^\p{Cc}\ufffd]+$/u.test(held);
  const password = held.slice(held.indexOf(':') + 1);
  return [...(isText ? [password, held] : []), credentials, value];
}
export type SecretSettings = Pick<Settings, 'catalogue' | 'variables' | 'extraHeaders' | 'minted'> &
  Partial<Pick<Settings, 'baseUrl'>>;

const AT = /@|%40|&#(?:64|x40);|\\u0040/i;

/** Matches an address in any case, with its @ as in URLs, markup and JSON. */
function addressPattern(name: string, domain: string): RegExp {
  return new RegExp(`${literal(name)}(?:${AT.source})${literal(domain)}`, 'gi');
}

/** Masks the matches. Overlapping matches are merged and masked once, with the label of the first and longest. */
function mask(text: string, matches: Match[], maskOf: (label: string) => string): string {
  matches.sort((a, b) => a.from - b.from || b.to - a.to);
  const merged: { from: number; to: number; label: string }[] = [];
  for (const match of matches) {
    const last = merged.at(-1);
    if (last && match.from < last.to) last.to = Math.max(last.to, match.to);
    else merged.push({ ...match });
  }
  let masked = '';
  let end = 0;
  for (const { from, to, label } of merged) {
    masked += text.slice(end, from) + maskOf(label);
    end = to;
  }
  return masked + text.slice(end);
}
