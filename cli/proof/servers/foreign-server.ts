import { listen } from '../../../service/listen.ts';
import { passOn } from '../pass-on.ts';

/** A server that somebody else wrote, as it runs. */
export interface ForeignServer {
  /** The variables of its contract: address, tokens and people. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}
/** A fault that a proxy plants: it takes a token for another one, which is right, and hands the request on with that. */
export interface Fault {
  readonly what: string;
  readonly breaks: string;
  /** The variables of the token that it takes for right, and of the right one. */
  readonly takes: string;
  readonly for: string;
  /** Only in requests to this path. */
  readonly path?: string;
  /** Only in requests with this header, or with this value of it. */
  readonly header?: readonly [name: string, value?: string];
}
export const acceptsExpired = (token: string): Fault => ({
  what: 'expired tokens are accepted',
  breaks: 'token.expired',
  ...{ takes: `${token}_EXPIRED`, for: token },
});
/** A server that others wrote, with what a run must find of it. */
export interface ServerToJudge {
  /** Of its contract. */
  readonly name: string;
  /** What its package is called, if not the same. */
  readonly package?: string;
  /** Of its package in Debian. Absent: it comes from npm, and the lock file has its version. */
  readonly version?: string;
  /** @param folder is for the files of the server, and is removed afterwards. */
  start(folder: string): Promise<ForeignServer>;
  /** The advice that it does not follow. */
  readonly warnings: readonly string[];
  readonly faults: readonly Fault[];
}

/** Puts a proxy with a fault in front of a server, which keeps running when the proxy is closed. */
export async function withFault({ env }: ForeignServer, fault: Fault): Promise<ForeignServer> {
  const target = new URL(env['TARGET_BASE_URL'] ?? '');
  const [wrong = '', right = ''] = [env[fault.takes], env[fault.for]];
  const [name, value] = fault.header ?? [];
  const { url, answerWith, close } = await listen();
  answerWith((incoming, response) => {
    const { url: path = '', headers, rawHeaders } = incoming;
    const isFaulty =
      (fault.path === undefined || path.split('?')[0] === fault.path) &&
      (name === undefined || headers[name] !== undefined) &&
      (value === undefined || headers[name ?? ''] === value);
    const lines = rawHeaders.map((text) => (isFaulty ? text.replace(wrong, right) : text));
    passOn(incoming, response, target, lines);
  });
  return { env: { ...env, TARGET_BASE_URL: url }, close };
}
