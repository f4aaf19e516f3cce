/**
 * Bytes as text: by a byte order mark, else by the charset that the content type names, else as UTF-8 (RFC 9110 8.3.2).
 * An unknown charset is read as UTF-8 too, and what is no text in it becomes U+FFFD.
 */
export function textOf(bytes: Uint8Array, contentType = ''): string {
  const [, named = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  return decoderFor(markOf(bytes) ?? named).decode(bytes);
}

/** The encodings whose byte order mark is unmistakable; UTF-8's own is left to the decoder. */
function markOf([first, second]: Uint8Array): string | undefined {
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
