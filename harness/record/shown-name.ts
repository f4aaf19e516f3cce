import type { Redactor } from './redact.ts';

/** What programs use as a name: letters, digits and a few marks. Anything else may be text that somebody chose. */
const NAME = /^[A-Za-z0-9._:-]{1,64}$/;

/** How a target names something that it created. Undefined if it is no name, or contains a secret: then it is not recorded. */
export function shownName(redactor: Redactor, name: unknown): string | undefined {
  return typeof name === 'string' && NAME.test(name) && redactor.text(name) === name ? name : undefined;
}

/** The name of the conversation in an answer: at its top, else the first one. A streamed answer is no JSON, so its text is searched. */
export function conversationIn(redactor: Redactor, text: string, json: unknown): string | undefined {
  const { conversationId: atTop } = Object(json);
  const first = () => /"(?:conversation|chat|thread)_?id"\s*:\s*"([^"\\]{1,64})"/i.exec(text)?.[1];
  return shownName(redactor, typeof atTop === 'string' ? atTop : first());
}
