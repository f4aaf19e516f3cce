import { Tokenizer } from 'htmlparser2';
import leven from 'leven';
import type { Message } from '../contract/contract.ts';

/** The form of a body, by its content and not by its content type. */
export const BODY_FORMS = ['empty', 'json', 'markup', 'text'] as const;
export type BodyForm = (typeof BODY_FORMS)[number];

/** The form of a body, and its lines, which are computed when they are read. */
export interface ReadBody {
  readonly form: BodyForm;
  /** The lines that a message can be (outcomes 1). */
  readonly lines: readonly string[];
  /** The parsed value, if the body is JSON and not nested too deeply. */
  readonly json?: unknown;
}

/**
 * Reads a body by its content. Its lines are those of the strings in JSON, of the text nodes in markup, or of the text.
 * The caller limits the length of the text.
 */
export function readBody(text: string): ReadBody {
  const trimmed = text.trim();
  if (trimmed === '') return { form: 'empty', lines: [] };
  const json = parseJson(trimmed);
  if (json !== undefined) return read('json', () => stringsIn(trimmed, 'values'), json === TOO_DEEP ? undefined : json);
  if (trimmed.startsWith('<')) return read('markup', () => textNodes(trimmed));
  return read('text', () => [trimmed]);
}

function read(form: BodyForm, texts: () => readonly string[], json?: unknown): ReadBody {
  let lines: readonly string[] | undefined;
  return {
    form,
    ...(json !== undefined && { json }),
    get lines() {
      lines ??= linesOf(texts());
      return lines;
    },
  };
}

/** The ids of the documented messages that are a whole line, and of those that are part of a longer line. */
export function findMessages(lines: readonly string[], messages: Readonly<Record<string, Message>>) {
  const whole: string[] = [];
  const embedded: string[] = [];
  for (const [id, { text }] of Object.entries(messages)) {
    if (lines.includes(text)) whole.push(id);
    else if (lines.some((line) => line.includes(text))) embedded.push(id);
  }
  return { whole, embedded };
}

/** The line closest to a message; undefined if no line is close enough to be meant as that message. */
export function nearMiss(lines: readonly string[], wanted: string): string | undefined {
  let best: { line: string; distance: number } | undefined;
  for (const line of lines) {
    if (Math.abs(line.length - wanted.length) > wanted.length / 3) continue;
    const distance = leven(line.toLowerCase(), wanted.toLowerCase());
    if (!best || distance < best.distance) best = { line, distance };
  }
  return best && best.distance <= wanted.length / 4 ? best.line : undefined;
}

function parseJson(text: string): unknown {
  if (!/^["[{tfn\d-]/.test(text)) return undefined;
  if (isTooDeep(text)) return TOO_DEEP;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Arrays and objects in each other. A megabyte of brackets takes long to parse, and is too deep for a recursive function. */
const DEEPEST = 500;
const TOO_DEEP = Symbol('too deep');

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1;
  }
  return false;
}

/** The strings in a JSON text, at any depth, with or without those that are keys. */
export function stringsIn(json: string, which: 'values' | 'keys and values'): string[] {
  const strings: string[] = [];
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', at + 1)) {
    const end = endOfString(json, at);
    if (which === 'keys and values' || !KEY.test(json.slice(end + 1, end + 20)))
      strings.push(unquoted(json.slice(at, end + 1)));
    at = end;
  }
  return strings;
}
const KEY = /^\s*:/;

function unquoted(text: string): string {
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The index of the quote that ends the string which begins at `at`; the last index of the text if there is none. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === BACKSLASH) end += 1;
    else if (code === QUOTE) return end;
  }
  return text.length - 1;
}
const [QUOTE, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [34, 92, 91, 93, 123, 125];

function linesOf(texts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const text of texts)
    for (const part of text.split(/[\r\n]+/)) {
      const line = part.trim();
      if (line !== '') lines.push(line);
    }
  return lines;
}

/**
 * The text nodes of HTML or XML, including CDATA and without scripts and styles, which no browser shows as text. A
 * tokenizer knows no nesting: a parser takes half a minute for a megabyte of opened elements.
 */
function textNodes(markup: string): string[] {
  const nodes: string[] = [];
  let text = '';
  let ignoredDepth = 0;
  // The tokenizer can report each character by itself, so adjacent parts are sliced once.
  let from = 0;
  let to = 0;
  const slice = () => {
    if (from < to) text += markup.slice(from, to);
    from = to;
  };
  const flush = () => {
    slice();
    if (text !== '') nodes.push(text);
    text = '';
  };
  const add = (start: number, end: number) => {
    if (ignoredDepth > 0) return;
    if (start !== to) {
      slice();
      from = start;
    }
    to = end;
  };
  const isIgnored = (start: number, end: number) => IGNORED_ELEMENTS.has(markup.slice(start, end).toLowerCase());
  const nothing = () => undefined;
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext: add,
      ontextentity(codePoint) {
        slice();
        if (ignoredDepth === 0) text += String.fromCodePoint(codePoint);
      },
      oncdata: (start, end, offset) => add(start, end - offset),
      onopentagname(start, end) {
        flush();
        if (isIgnored(start, end)) ignoredDepth += 1;
      },
      onclosetag(start, end) {
        flush();
        if (isIgnored(start, end)) ignoredDepth = Math.max(0, ignoredDepth - 1);
      },
      oncomment: flush,
      onopentagend: nothing,
      onselfclosingtag: nothing,
      onattribname: nothing,
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  );
  tokenizer.write(markup);
  tokenizer.end();
  flush();
  return nodes;
}
const IGNORED_ELEMENTS = new Set(['script', 'style']);
