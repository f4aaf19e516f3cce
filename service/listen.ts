import { createServer, type RequestListener } from 'node:http';

export interface Listening {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  /** Sets who answers. Separate from listening, because some listeners must know their own address first. */
  answerWith(listener: RequestListener): void;
  /** Stops taking requests, lets those under way finish for a while, then ends every connection. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** 0: any free port. */
  port?: number;
  host?: string;
}

/** How long requests under way may take to finish, in milliseconds. */
const grace = 5000;

/** @throws when the port is taken or may not be used */
export async function listen({ port = 0, host = '127.0.0.1' }: ListenOptions = {}): Promise<Listening> {
  const server = createServer();
  // Longer than usual clients keep an idle connection: the side that closes first should be the one that knows.
  server.keepAliveTimeout = 72_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`Listening on ${host}, but not on a port.`);

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    answerWith: (listener) => void server.on('request', listener),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const sweep = setInterval(() => server.closeIdleConnections(), 20);
      const deadline = setTimeout(() => server.closeAllConnections(), grace);
      await closed;
      clearInterval(sweep);
      clearTimeout(deadline);
    },
  };
}
