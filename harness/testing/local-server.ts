import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net';

/** A server on a free port of the loopback interface. */
export interface LocalServer {
  readonly url: string;
  close(): Promise<void>;
}

export function serveHttp(listener: RequestListener): Promise<LocalServer> {
  return listen(createHttpServer(listener));
}

/** Answers on the bare socket, for answers that node:http would not send. */
export function serveSocket(listener: (socket: Socket) => void): Promise<LocalServer> {
  return listen(createNetServer(listener));
}

async function listen(server: Server): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
