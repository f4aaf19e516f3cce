import { listen } from '../../../service/listen.ts';
import { passOn } from '../pass-on.ts';
import type { Fault, ForeignServer } from './foreign-server.ts';

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
