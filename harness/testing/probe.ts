import type { IncomingMessage, RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import type { WireRequest } from '../plan/request.ts';
import type { Failure, RawAnswer } from '../record/observation.ts';
import { createProbe, type Probe, type ProbeOptions } from '../send/undici-probe.ts';
import { type LocalServer, serveHttp } from './local-server.ts';

/** A probe to a server; both are closed when the test ends. */
export async function probeTo(
  server: Promise<LocalServer>,
  path = '',
  extraHeaders: [string, string][] = [],
  more: Partial<ProbeOptions> = {},
): Promise<Probe> {
  const { url, close } = await server;
  const probe = createProbe({ baseUrl: url + path, connections: 1, extraHeaders, ...more });
  onTestFinished(async () => {
    await probe.close();
    await close();
  });
  return probe;
}

export const request: WireRequest = {
  method: 'POST',
  path: '/search',
  headers: [['Content-Type', 'application/json']],
  body: '{}',
};

export async function ask(listener: RequestListener, streams = false, timeoutMs = 5000): Promise<RawAnswer | Failure> {
  const probe = await probeTo(serveHttp(listener));
  return probe.send(request, timeoutMs, streams);
}

/** What a server was sent. */
export async function sent(
  more: Partial<WireRequest> = {},
  path = '',
  extra: [string, string][] = [],
): Promise<IncomingMessage & { body: string }> {
  let seen: (IncomingMessage & { body: string }) | undefined;
  const listener: RequestListener = async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    seen = Object.assign(incoming, { body });
    response.end();
  };
  const probe = await probeTo(serveHttp(listener), path, extra);
  await probe.send({ ...request, ...more }, 5000);
  if (!seen) throw new Error('nothing was sent');
  return seen;
}

export const KB = 1024;
