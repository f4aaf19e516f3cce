import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Why a watched target is asked again. */
export type Change = 'restarted' | 'key' | 'ended';

/** How often a target that is down is asked whether it is back. */
const POLL_MS = 100;

/**
 * Waits until the target has been down and accepts connections again, until somebody presses Enter, or until `ended`. It
 * holds a connection open, which ends when the process behind it does, and sends nothing over it.
 */
export async function awaitChange(base: string, input: NodeJS.ReadStream, ended: AbortSignal): Promise<Change> {
  const over = new AbortController();
  const stop = AbortSignal.any([ended, over.signal]);
  try {
    return await Promise.race([untilRestarted(base, stop), untilKey(input, stop), untilAborted(ended)]);
  } finally {
    over.abort();
  }
}

async function untilRestarted(base: string, stop: AbortSignal): Promise<Change> {
  let wasDown = false;
  while (!stop.aborted) {
    const socket = await connected(base, stop);
    if (socket && wasDown) {
      socket.destroy();
      return 'restarted';
    }
    // A server also closes a connection that nobody uses. Then the next one is accepted at once, and it was never down.
    if (socket) await once(socket.resume(), 'close');
    else {
      wasDown = true;
      await sleep(POLL_MS);
    }
  }
  return 'ended';
}

/** A connection to the target. Undefined if it accepts none. */
function connected(base: string, stop: AbortSignal): Promise<Socket | undefined> {
  const { hostname, port, protocol } = new URL(base);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  });
  // The option `signal` of a socket leaves a listener behind, and a target that is down is asked many times.
  const destroy = () => socket.destroy();
  stop.addEventListener('abort', destroy);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.on('error', () => resolve(undefined));
    socket.once('close', () => {
      stop.removeEventListener('abort', destroy);
      resolve(undefined);
    });
  });
}

function untilKey(input: NodeJS.ReadStream, stop: AbortSignal): Promise<Change> {
  return new Promise((resolve) => {
    if (!input.isTTY) return;
    const press = () => resolve('key');
    input.once('data', press).resume();
    stop.addEventListener('abort', () => input.off('data', press).pause(), { once: true });
  });
}

function untilAborted(signal: AbortSignal): Promise<Change> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('ended');
    signal.addEventListener('abort', () => resolve('ended'), { once: true });
  });
}
