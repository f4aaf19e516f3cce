import { createServer, type RequestListener } from 'node:http';

export interface Listening {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  /** Sets who answers. Separate from listening, because some listeners must know their own address first. */
  answerWith(listener: RequestListener): void;
  /** Stops taking connections, lets requests under way finish for a while, then ends every connection. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** 0: any free port. */
  port?: number;
  host?: string;
  limits?: Partial<Limits>;
}

/** How long things may take, in milliseconds. */
interface Limits {
  /** A request's headers to come, and the whole request; beyond it the answer is 408. How often that is looked at. */
  readonly headers: number;
  readonly request: number;
  readonly check: number;
  /** Requests under way to be answered once the server closes. */
  readonly grace: number;
}

const usual: Limits = { headers: 10_000, request: 30_000, check: 1000, grace: 5000 };

/** @throws when the port is taken or may not be used */
export async function listen({ port = 0, host = '127.0.0.1', limits }: ListenOptions = {}): Promise<Listening> {
  const { headers, request, check, grace } = { ...usual, ...limits };
  const server = createServer({
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: check,
    // Longer than usual clients keep an idle connection: the side that closes first should be the one that knows.
    keepAliveTimeout: 72_000,
  });
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
