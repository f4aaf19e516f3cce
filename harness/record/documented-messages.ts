import { Parser } from 'htmlparser2';
import leven from 'leven';
import type { Message } from '../contract/contract.ts';

/** What a body turned out to be, whatever its content type says. */
export const BODY_FORMS = ['empty', 'json', 'markup', 'text'] as const;
export type BodyForm = (typeof BODY_FORMS)[number];

/** What a body is, and the lines in it that a message may stand on, which are found when they are asked for. */
export interface ReadBody {
  readonly form: BodyForm;
  readonly lines: readonly string[];
  /** The parsed value where the body is JSON. */
  readonly json?: unknown;
}

/**
 * Reads a body by its content: the strings of JSON at any depth, the text nodes of markup, the lines of text. How much of
 * a body there is to read was bounded before.
 */
export function readBody(text: string): ReadBody {
  const trimmed = text.trim();
  if (trimmed === '') return { form: 'empty', lines: [] };
  const json = parseJson(trimmed);
  if (json !== undefined) return read('json', () => stringsIn(json), json);
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

/** Ids of the documented messages that stand as a whole line, and of those that stand inside a longer one. */
export function findMessages(lines: readonly string[], messages: Readonly<Record<string, Message>>) {
  const whole: string[] = [];
  const embedded: string[] = [];
  for (const [id, { text }] of Object.entries(messages)) {
    if (lines.includes(text)) whole.push(id);
    else if (lines.some((line) => line.includes(text))) embedded.push(id);
  }
  return { whole, embedded };
}

/** The line that comes closest to a wanted message, when it is close enough to be meant as it. */
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

function stringsIn(json: unknown): string[] {
  const strings: string[] = [];
  const pending = [json];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') strings.push(value);
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) pending.push(inner);
  }
  return strings;
}

function linesOf(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(/\r\n|\r|\n/))
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The text nodes of HTML or XML, CDATA included; scripts and styles are no text that anybody reads. */
function textNodes(markup: string): string[] {
  const nodes: string[] = [];
  let text = '';
  let silent = 0;
  const flush = () => {
    nodes.push(text);
    text = '';
  };
  const parser = new Parser(
    {
      ontext: (part) => {
        if (silent === 0) text += part;
      },
      onopentag: (name) => {
        flush();
        if (UNREAD.has(name)) silent += 1;
      },
      onclosetag: (name) => {
        flush();
        if (UNREAD.has(name)) silent = Math.max(0, silent - 1);
      },
      oncomment: flush,
    },
    { recognizeCDATA: true },
  );
  parser.end(markup);
  flush();
  return nodes;
}
const UNREAD = new Set(['script', 'style']);
