import { Parser } from 'htmlparser2';

/**
 * The form of a body, by its content and not by its content type. `json-lines`: a JSON value on each line (NDJSON).
 * `events`: an event stream (server-sent events).
 */
export const BODY_FORMS = ['empty', 'json', 'json-lines', 'events', 'markup', 'text'] as const;
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
 * Reads a body by its content. Its lines are those of the strings in JSON, of the text nodes and attributes in markup, of
 * the data of events, or of the text. The caller limits the length of the text.
 */
export function readBody(text: string): ReadBody {
  const trimmed = text.trim();
  if (trimmed === '') return { form: 'empty', lines: [] };
  const json = parseJson(trimmed);
  if (json !== undefined) return read('json', () => stringsIn(json), json);
  if (trimmed.startsWith('<')) return read('markup', () => textsInMarkup(trimmed));
  const values = parseJsonLines(trimmed);
  if (values) return read('json-lines', () => values.flatMap(stringsIn));
  const events = dataOfEvents(trimmed);
  if (events) return read('events', () => events.flatMap(textsInData));
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

const LINE_END = /\r\n|\r|\n/;

function parseJson(text: string): unknown {
  if (!/^["[{tfn\d-]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The values of a text with a JSON value on each line. Undefined if it is another text. */
function parseJsonLines(text: string): readonly unknown[] | undefined {
  const values: unknown[] = [];
  for (const line of text.split(LINE_END).map((one) => one.trim())) {
    if (line === '') continue;
    const value = parseJson(line);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** A line of an event stream: a field, or a comment, which begins with a colon. */
const EVENT_LINE = /^(?<field>data|event|id|retry)?(?:: ?(?<value>.*))?$/;

/** The data of each event in an event stream. Undefined if the text is none. */
function dataOfEvents(text: string): readonly string[] | undefined {
  const events: string[] = [];
  let data: string[] = [];
  for (const line of [...text.split(LINE_END), '']) {
    const { field, value = '' } = EVENT_LINE.exec(line)?.groups ?? {};
    if (field === undefined && line !== '' && !line.startsWith(':')) return undefined;
    if (field === 'data') data.push(value);
    if (line !== '' || data.length === 0) continue;
    events.push(data.join('\n'));
    data = [];
  }
  return events.length > 0 ? events : undefined;
}

/** The data of an event is JSON or text. */
function textsInData(data: string): readonly string[] {
  const json = parseJson(data.trim());
  return json === undefined ? [data] : stringsIn(json);
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
    .flatMap((text) => text.split(LINE_END))
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * The text nodes and attribute values of HTML or XML, including CDATA and without the content of scripts and styles, which
 * no browser shows as text.
 */
function textsInMarkup(markup: string): string[] {
  const texts: string[] = [];
  let text = '';
  let ignoredDepth = 0;
  const flush = () => {
    texts.push(text);
    text = '';
  };
  const parser = new Parser(
    {
      ontext: (part) => {
        if (ignoredDepth === 0) text += part;
      },
      onopentag: (name, attributes) => {
        flush();
        texts.push(...Object.values(attributes));
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
  return texts;
}
const IGNORED_ELEMENTS = new Set(['script', 'style']);
