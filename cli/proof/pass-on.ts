import { type IncomingMessage, request, type ServerResponse } from 'node:http';

/** Passes a request on to a server on this machine, and its answer back. Host stays as it came. */
export function passOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  { hostname, port }: URL,
  headers: readonly string[] | IncomingMessage['headers'],
): void {
  const { method, url: path } = incoming;
  const outgoing = request({ hostname, port, method, path, headers, setHost: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}
