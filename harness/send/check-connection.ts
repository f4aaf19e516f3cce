import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import request from 'supertest';
import type { WireRequest } from '../plan/request.ts';
import type { Failure, RawAnswer } from '../record/observation.ts';
import { textOf } from './charset.ts';
import { failureOf } from './failure-names.ts';
import { agentFor, proxyFor } from './proxy.ts';
import type { Text } from './read-body.ts';

/** The body of an answer to a check is read up to these bounds (outcomes 6). */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_MS = 5_000;

/** A keep-alive connection of a check. */
export interface CheckConnection {
  exchange(request: WireRequest, timeoutMs: number): Promise<RawAnswer | Failure>;
  close(): void;
}

/**
 * Sends requests with supertest over one connection. It never follows redirects.
 * @param lookup the resolver; that of Node if absent. A proxy resolves names itself.
 */
export function connectForCheck(
  baseUrl: string,
  extraHeaders: readonly (readonly [string, string])[],
  timeoutMs: number,
  lookup?: LookupFunction,
): CheckConnection {
  const agent = agentFor(new URL(baseUrl), proxyFor(baseUrl), timeoutMs, lookup);
  return {
    async exchange({ method, path, headers, body }, timeoutMs) {
      const test = new request.Test(baseUrl, method, path)
        .agent(agent)
        .redirects(0)
        .timeout({ response: timeoutMs, deadline: timeoutMs + 5_000 })
        .ok(() => true)
        .buffer(true)
        .parse(readText);
      // superagent passes an array on to Node, which writes one line for each value. Its types only allow a string.
      for (const [name, values] of linesByName([...headers, ...extraHeaders])) test.set(name, values as string);
      try {
        const response = await (body === undefined ? test : test.send(body));
        const { text = '', truncated = false }: Partial<Text> = response.body;
        return { status: response.status, headers: response.headers, text, truncated };
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
 * A parser for superagent that reads every body as text, up to the bounds. superagent itself reports a broken body. It
 * must not see the error that we cause when we stop reading, so its listeners are removed before that.
 */
function readText(response: request.Response, done: (error: Error | null, body: Text) => void): void {
  const stream = response as unknown as IncomingMessage;
  const chunks: Buffer[] = [];
  let size = 0;
  let stopped = false;
  const end = (truncated: boolean) => {
    clearTimeout(timer);
    done(null, { text: textOf(Buffer.concat(chunks), stream.headers['content-type']), truncated });
  };
  const stopReading = () => {
    stopped = true;
    stream.removeAllListeners().on('error', () => {});
    stream.destroy();
    end(true);
  };
  const timer = setTimeout(stopReading, MAX_MS);
  stream.on('data', (chunk: Buffer) => {
    // superagent still passes on what its decompressor has read.
    if (stopped) return;
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_BYTES) stopReading();
  });
  stream.on('end', () => end(false));
  stream.on('error', () => clearTimeout(timer));
}
