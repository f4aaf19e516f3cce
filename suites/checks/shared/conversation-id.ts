/**
 * The texts in an answer that may name its conversation, the likeliest first. The specification does not say how an answer
 * names it. A streamed answer is not JSON as a whole, so the text is searched.
 */
export function conversationIds(text: string): readonly string[] {
  const named = [...text.matchAll(/"(?:conversation|chat|thread)_?id"\s*:\s*"([^"\\]+)"/gi)];
  const nested = [...text.matchAll(/"(?:conversation|chat|thread)"\s*:\s*\{[^{}]*?"id"\s*:\s*"([^"\\]+)"/gi)];
  const plain = [...text.matchAll(/"id"\s*:\s*"([^"\\]+)"/g)];
  const found = [...named.slice(0, 1), ...nested.slice(0, 1), ...plain.slice(0, 1)];
  return [...new Set(found.flatMap(([, id]) => id ?? []))];
}
