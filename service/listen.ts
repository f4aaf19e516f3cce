import { createServer, type RequestListener } from 'node:http';

export interface Listening {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  /** Sets the listener. It is not set with the port, because some listeners must know their own address first. */
  answerWith(listener: RequestListener): void;
  /** Accepts no new connections, waits a while for pending requests, then closes every connection. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** 0: any free port. */
  port?: number;
  host?: string;
  limits?: Partial<Limits>;
}

/** In milliseconds. */
interface Limits {
  /** Time for the headers of a request. A slower request gets 408 (RFC 9110 15.5.9). */
  readonly headers: number;
  /** Time for the whole request. A slower request gets 408. */
  readonly request: number;
  /** Time between two checks of the limits above. */
  readonly check: number;
  /** Time for pending requests after `close()`. */
  readonly grace: number;
}

const defaults: Limits = { headers: 10_000, request: 30_000, check: 1000, grace: 5000 };

/** @throws when the port is in use or not allowed */
export async function listen({ port = 0, host = '127.0.0.1', limits }: ListenOptions = {}): Promise<Listening> {
  const { headers, request, check, grace } = { ...defaults, ...limits };
  const server = createServer({
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: check,
    // Longer than most clients keep idle connections, so that the client closes them. If the server closed first, a client
    // could send a request on a connection that is just closing.
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
  if (address === null || typeof address === 'string') throw new Error(`The server on ${host} has no port.`);

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
