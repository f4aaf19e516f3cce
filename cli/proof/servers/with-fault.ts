import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault, ForeignServer } from './foreign-server.ts';

/** Puts a proxy with a fault in front of a server, which keeps running when the proxy is closed. */
export async function withFault({ env }: ForeignServer, fault: Fault): Promise<ForeignServer> {
  const { hostname, port } = new URL(env['TARGET_BASE_URL'] ?? '');
  const [wrong = '', right = ''] = [env[fault.takes], env[fault.for]];
  const [name, value] = fault.header ?? [];
  const server = createServer((incoming, response) => {
    const { method, url: path = '', headers, rawHeaders } = incoming;
    const isFaulty =
      (fault.path === undefined || path.split('?')[0] === fault.path) &&
      (name === undefined || headers[name] !== undefined) &&
      (value === undefined || headers[name ?? ''] === value);
    const lines = rawHeaders.map((text) => (isFaulty ? text.replace(wrong, right) : text));
    const outgoing = request({ hostname, port, method, path, headers: lines, setHost: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    env: { ...env, TARGET_BASE_URL: `http://127.0.0.1:${own}` },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
