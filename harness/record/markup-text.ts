import { Tokenizer } from 'htmlparser2';

/**
 * The text nodes and attribute values of HTML or XML, including CDATA and without the content of scripts and styles, which
 * no browser shows as text. A tokenizer knows no nesting: a parser takes half a minute for a megabyte of opened elements.
 */
export function textsInMarkup(markup: string): string[] {
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
  const nothing = () => undefined;
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
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
      onopentagend: nothing,
      onselfclosingtag: nothing,
      onattribname: nothing,
      onattribdata: add,
      onattribentity(codePoint) {
        slice();
        text += String.fromCodePoint(codePoint);
      },
      onattribend: flush,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  );
  tokenizer.write(markup);
  tokenizer.end();
  flush();
  return texts;
}
const IGNORED_ELEMENTS = new Set(['script', 'style']);
