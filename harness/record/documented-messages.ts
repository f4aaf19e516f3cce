import { Parser } from 'htmlparser2';
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
  /** The parsed value, if the body is JSON. */
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
  if (json !== undefined) return read('json', () => textsIn(json, 'no keys'), json);
  if (trimmed.startsWith('<')) return read('markup', () => textNodes(trimmed));
  return read('text', () => [trimmed]);
}

function read(form: BodyForm, texts: () => readonly string[], json?: unknown): ReadBody {
  return {
    form,
    ...(form === 'json' && { json }),
    get lines() {
      return linesOf(texts());
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
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The strings in a JSON value. It may be nested so deeply that a recursive function would fail. */
export function textsIn(json: unknown, keys: 'keys too' | 'no keys'): string[] {
  const strings: string[] = [];
  const pending = [json];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') strings.push(value);
    else if (typeof value === 'object' && value !== null) {
      if (keys === 'keys too' && !Array.isArray(value)) for (const key of Object.keys(value)) strings.push(key);
      for (const inner of Object.values(value)) pending.push(inner);
    }
  }
  return strings;
}

function linesOf(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(/\r\n|\r|\n/))
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The text nodes of HTML or XML, including CDATA and without scripts and styles, which no browser shows as text. */
function textNodes(markup: string): string[] {
  const nodes: string[] = [];
  let text = '';
  let ignoredDepth = 0;
  const flush = () => {
    nodes.push(text);
    text = '';
  };
  const parser = new Parser(
    {
      ontext: (part) => {
        if (ignoredDepth === 0) text += part;
      },
      onopentag: (name) => {
        flush();
        if (IGNORED_ELEMENTS.has(name)) ignoredDepth += 1;
      },
      onclosetag: (name) => {
        flush();
        if (IGNORED_ELEMENTS.has(name)) ignoredDepth = Math.max(0, ignoredDepth - 1);
      },
      oncomment: flush,
    },
    { recognizeCDATA: true },
  );
  parser.end(markup);
  flush();
  return nodes;
}
const IGNORED_ELEMENTS = new Set(['script', 'style']);
