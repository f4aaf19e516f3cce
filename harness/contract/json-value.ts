/** The value of a JSON text. Undefined if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text or number at a JSON pointer of a JSON text (RFC 6901). Undefined if there is none. */
export function valueAt(text: string, pointer: string): string | undefined {
  const value = stepsOf(pointer).reduce((inner: unknown, step) => Object(inner)[step], parsedJson(text));
  if (value === null) return '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A JSON value with a text at the end of these keys. Objects that are not there are made. */
export function withValueAt(value: unknown, [step, ...rest]: readonly string[], text: string): unknown {
  if (step === undefined) return text;
  const inside = withValueAt(Object(value)[step], rest, text);
  return Array.isArray(value) ? Object.assign([...value], { [step]: inside }) : { ...Object(value), [step]: inside };
}

/** The keys of a JSON pointer. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
