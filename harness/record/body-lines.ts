import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { parseJson, stringsIn, TOO_DEEP } from './json-text.ts';

/** The form of a body, by its content alone. `json-lines`: a JSON value on each line (NDJSON). `events`: server-sent events. */
export type BodyForm = 'empty' | 'json' | 'json-lines' | 'events' | 'markup' | 'text';

/** The form of a body, and its lines, which are computed when they are read. */
export interface ReadBody {
  readonly form: BodyForm;
  /** The lines that a message can be (outcomes 1). */
  readonly lines: readonly string[];
  /** The parsed value, if the body is JSON and not nested too deeply. */
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
  if (json !== undefined) return read('json', () => stringsIn(trimmed, 'values'), json === TOO_DEEP ? undefined : json);
  if (trimmed.startsWith('<')) return read('markup', () => textsInMarkup(trimmed));
  if (isJsonLines(trimmed)) return read('json-lines', () => stringsIn(trimmed, 'values'));
  const events = dataOfEvents(trimmed);
  if (events) return read('events', () => events.flatMap(textsInData));
  return read('text', () => trimmed.split(LINE_END).flatMap(textsInData));
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

const LINE_END = /\r\n|\r|\n/;

function isJsonLines(text: string): boolean {
  return text.split(LINE_END).every((line) => line.trim() === '' || parseJson(line.trim()) !== undefined);
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

/** The data of an event, and a line of a text, is JSON or text. Some APIs put a line before their JSON that no script can read. */
function textsInData(data: string): readonly string[] {
  return parseJson(data.trim()) === undefined ? [data] : stringsIn(data, 'values');
}

function linesOf(texts: readonly string[]): string[] {
  const lines: string[] = [];
  const add = (part: string) => {
    const line = part.trim();
    if (line !== '') lines.push(line);
  };
  // Most texts are one line, and a body can have hundreds of thousands of them.
  for (const text of texts)
    if (LINE_END.test(text)) text.split(LINE_END).forEach(add);
    else add(text);
  return lines;
}

/** The text nodes and attribute values of HTML or XML, with CDATA and without scripts and styles, which no browser shows. */
function textsInMarkup(markup: string): string[] {
  const texts: string[] = [];
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
    if (text !== '') texts.push(text);
    text = '';
  };
  const add = (start: number, end: number) => {
    if (start !== to) {
      slice();
      from = start;
    }
    to = end;
  };
  const addContent = (start: number, end: number) => {
    if (ignoredDepth === 0) add(start, end);
  };
  const isIgnored = (start: number, end: number) => IGNORED_ELEMENTS.has(markup.slice(start, end).toLowerCase());
  tokenize(markup, true, {
    ontext: addContent,
    ontextentity(codePoint) {
      slice();
      if (ignoredDepth === 0) text += String.fromCodePoint(codePoint);
    },
    oncdata: (start, end, offset) => addContent(start, end - offset),
    onopentagname(start, end) {
      flush();
      if (isIgnored(start, end)) ignoredDepth += 1;
    },
    onclosetag(start, end) {
      flush();
      if (isIgnored(start, end)) ignoredDepth = Math.max(0, ignoredDepth - 1);
    },
    oncomment: flush,
    onattribdata: add,
    onattribentity(codePoint) {
      slice();
      text += String.fromCodePoint(codePoint);
    },
    onattribend: flush,
  });
  flush();
  return texts;
}
const IGNORED_ELEMENTS = new Set(['script', 'style']);

const nothing = () => undefined;
const UNHEARD: TokenizerCallbacks = {
  ...{ ontext: nothing, ontextentity: nothing, oncdata: nothing, oncomment: nothing },
  ...{ ondeclaration: nothing, onprocessinginstruction: nothing, onend: nothing },
  ...{ onopentagname: nothing, onopentagend: nothing, onselfclosingtag: nothing, onclosetag: nothing },
  ...{ onattribname: nothing, onattribdata: nothing, onattribentity: nothing, onattribend: nothing },
};

/** Tells of the parts of HTML or XML. A tokenizer knows no nesting: a parser takes half a minute for a megabyte of open elements. */
export function tokenize(markup: string, decodeEntities: boolean, heard: Partial<TokenizerCallbacks>): void {
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities }, { ...UNHEARD, ...heard });
  tokenizer.write(markup);
  tokenizer.end();
}
