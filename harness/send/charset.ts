/**
 * Decodes a body by its byte order mark, or else by the charset of its content type (RFC 9110 8.3.2). Without either,
 * or with an unknown charset, it is read as UTF-8. Invalid bytes become U+FFFD.
 */
export function textOf(bytes: Uint8Array, contentType = ''): string {
  const [, named = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  return decoderFor(charsetOfMark(bytes) ?? named).decode(bytes);
}

/** The charset that a UTF-16 byte order mark shows. The decoder itself handles the one of UTF-8. */
function charsetOfMark([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

const UTF_8 = new TextDecoder();

function decoderFor(label: string): typeof UTF_8 {
  if (/^utf-?8$/i.test(label)) return UTF_8;
  try {
    return new TextDecoder(label);
  } catch {
    return UTF_8;
  }
}
