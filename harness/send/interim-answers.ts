import type { Socket } from 'node:net';

/**
 * Takes interim answers out of what comes from a socket. A client must accept a 100 that it did not ask for (RFC 9110 15.2),
 * and undici closes the connection instead.
 */
export function withoutInterim(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  let sent = 0;
  /** The beginning of an answer; undefined after the head of the final one began. */
  let begin: Buffer | undefined;
  socket.read = (size) => {
    if (socket.bytesWritten !== sent) [sent, begin] = [socket.bytesWritten, Buffer.alloc(0)];
    const chunk: Buffer | null = read(size);
    if (chunk === null || begin === undefined) return chunk;
    const got: Buffer = begin.length === 0 ? chunk : Buffer.concat([begin, chunk]);
    const rest = startsInterim(got) ? afterInterim(got) : got;
    begin = startsInterim(rest) && rest.length < LONGEST ? rest : undefined;
    return begin === undefined ? rest : null;
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

function afterInterim(got: Buffer): Buffer {
  const text = got.toString('latin1');
  const interim = /^(?:HTTP\/1\.1 1(?!01)\d\d.*?\r\n\r\n)+/s.exec(text)?.[0] ?? '';
  return got.subarray(interim.length);
}
