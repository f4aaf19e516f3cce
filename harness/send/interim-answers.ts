import type { Socket } from 'node:net';

/**
 * Takes every 100 out of what comes from a socket. A client must accept one that it did not ask for (RFC 9110 15.2), and undici
 * closes the connection instead.
 */
export function without100(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  let sent = 0;
  /** The beginning of an answer; undefined after the head of the final one began. */
  let begin: Buffer | undefined;
  socket.read = (size) => {
    if (socket.bytesWritten !== sent) [sent, begin] = [socket.bytesWritten, Buffer.alloc(0)];
    const chunk: Buffer | null = read(size);
    if (chunk === null || begin === undefined) return chunk;
    const { others, rest } = interimIn(begin.length === 0 ? chunk : Buffer.concat([begin, chunk]));
    const isBegun = startsInterim(rest) && rest.length < LONGEST;
    begin = isBegun ? rest : undefined;
    const passed = Buffer.concat([...others, ...(isBegun ? [] : [rest])]);
    return passed.length === 0 ? null : passed;
  };
  return socket;
}
/** A longer head is left to undici, which bounds it. */
const LONGEST = 64 * 1024;

/** Whether this is, or can become, the head of an interim answer. 101 ends HTTP on its connection (RFC 9110 15.2.2). */
function startsInterim(got: Buffer): boolean {
  const line = got.toString('latin1', 0, 12);
  return INTERIM.startsWith(line.slice(0, INTERIM.length)) && line !== 'HTTP/1.1 101';
}
const INTERIM = 'HTTP/1.1 1';

/** The interim answers other than 100 at the beginning of what came, and what follows them. */
function interimIn(got: Buffer): { readonly others: readonly Buffer[]; readonly rest: Buffer } {
  const others: Buffer[] = [];
  let rest = got;
  while (startsInterim(rest)) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const head = rest.subarray(0, end + 4);
    if (head.toString('latin1', 0, 12) !== 'HTTP/1.1 100') others.push(head);
    rest = rest.subarray(end + 4);
  }
  return { others, rest };
}
