import type { IncomingMessage } from 'node:http';
import request from 'supertest';
import type { WireRequest } from '../plan/request.ts';
import type { Failure, RawAnswer } from '../record/observation.ts';
import { textOf } from './charset.ts';
import { failureOf } from './failure-names.ts';
import { agentFor, proxyFor } from './proxy.ts';
import type { Text } from './read-body.ts';

/** No more is read of an answer to a check, nor for longer (OUTCOMES 6). */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_MS = 5_000;

/** One kept-alive connection of a check. */
export interface CheckConnection {
  exchange(request: WireRequest, timeoutMs: number): Promise<RawAnswer | Failure>;
  close(): void;
}

/** A supertest agent on a connection of its own. Redirects are never followed. */
export function connectForCheck(
  baseUrl: string,
  extraHeaders: readonly (readonly [string, string])[],
  timeoutMs: number,
): CheckConnection {
  const agent = agentFor(new URL(baseUrl), proxyFor(baseUrl), timeoutMs);
  return {
    async exchange({ method, path, headers, body }, timeoutMs) {
      const test = new request.Test(baseUrl, method, path)
        .agent(agent)
        .redirects(0)
        .timeout({ response: timeoutMs, deadline: timeoutMs + 5_000 })
        .ok(() => true)
        .buffer(true)
        .parse(readText);
      // superagent hands an array to Node as it is, which writes one line for each; its types know strings only.
      for (const [name, values] of linesByName([...headers, ...extraHeaders])) test.set(name, values as string);
      try {
        const response = await (body === undefined ? test : test.send(body));
        const { text = '', cut = false }: Partial<Text> = response.body;
        return { status: response.status, headers: response.headers, text, truncated: cut };
      } catch (error) {
        return failureOf(error);
      }
    },
    close: () => agent.destroy(),
  };
}

function linesByName(headers: readonly (readonly [string, string])[]): Map<string, string | string[]> {
  const lines = new Map<string, string | string[]>();
  for (const [name, value] of headers) {
    const known = lines.get(name);
    lines.set(name, known === undefined ? value : [known, value].flat());
  }
  return lines;
}

/**
 * superagent's parser interface: every body as text, no more than is needed of it and for no longer. It hears of a
 * broken body itself; when we let go of one, it must not.
 */
function readText(response: request.Response, done: (error: Error | null, body: Text) => void): void {
  const stream = response as unknown as IncomingMessage;
  const chunks: Buffer[] = [];
  let size = 0;
  const end = (cut: boolean) => {
    clearTimeout(late);
    done(null, { text: textOf(Buffer.concat(chunks), stream.headers['content-type']), cut });
  };
  const letGo = () => {
    stream.removeAllListeners().on('error', () => {});
    stream.destroy();
    end(true);
  };
  const late = setTimeout(letGo, MOST_MS);
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MOST_BYTES) letGo();
  });
  stream.on('end', () => end(false));
  stream.on('error', () => clearTimeout(late));
}
