import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { configurationError, errorCode } from '../contract/configuration-error.ts';
import { isSuccess } from '../record/observation.ts';
import type { ClientCertificate } from '../settings/client-certificate.ts';
import { isLoopback } from '../settings/parse-values.ts';

/**
 * The proxy for a target. HTTPS_PROXY and HTTP_PROXY name it by the scheme of the target, in upper or lower case.
 * NO_PROXY excludes a host, a domain with its subdomains, a range of addresses, or everything (`*`). Loopback never goes through a proxy.
 * @throws a configuration error for a proxy that is not an http or https address.
 */
export function proxyFor(baseUrl: string, environment: NodeJS.ProcessEnv = process.env): URL | undefined {
  const { protocol, hostname, port } = new URL(baseUrl);
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  const named = protocol === 'https:' ? (read('HTTPS_PROXY') ?? read('HTTP_PROXY')) : read('HTTP_PROXY');
  if (named === undefined || isLoopback(hostname)) return undefined;
  const excepted = (read('NO_PROXY') ?? '').split(/[\s,]+/).some((entry) => {
    const [, domain = '', only] = /^\*?\.?(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (isWithin(socketHost({ hostname }), entry)) return true;
    if (only !== undefined && only !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
    return entry === '*' || hostname === domain || (domain !== '' && hostname.endsWith(`.${domain}`));
  });
  if (excepted) return undefined;
  try {
    const url = new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(named) ? named : `http://${named}`);
    // A % that begins no escape ends here, and not at the first connection.
    decodeURIComponent(url.username + url.password);
    if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  } catch {
    // Falls through. The error does not show the value, because it may contain a password.
  }
  throw configurationError(
    'HTTPS_PROXY or HTTP_PROXY is not an http or https address; set it to http://host:port, or unset it; a % in a password is %25',
  );
}

/** Whether an address is in a range such as 10.0.0.0/8, or is the one address that the range names. */
function isWithin(host: string, range: string): boolean {
  const [address = '', bits = isIP(host) === 4 ? '32' : '128'] = range.split('/');
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128))
    return false;
  const ranges = new BlockList();
  ranges.addSubnet(address, Number(bits), `ipv${family as 4 | 6}`);
  return ranges.check(host, `ipv${family as 4 | 6}`);
}

interface ThroughOptions {
  /** For the whole connection: a proxy may answer although the target behind it does not. */
  readonly timeoutMs: number;
  /** For a target that asks for one. The proxy does not get it. */
  readonly certificate?: ClientCertificate | undefined;
}

/** Connects to the target through a proxy with CONNECT (RFC 9110 9.3.6), and with TLS if the target is https. */
export async function connectThrough(
  proxy: URL,
  target: URL,
  { timeoutMs, certificate }: ThroughOptions,
): Promise<Socket> {
  const secure = target.protocol === 'https:';
  const host = socketHost(target);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    const path = `${target.hostname}:${target.port || (secure ? 443 : 80)}`;
    const socket = await tunnel(proxy, path, deadline.signal);
    return secure ? await encrypt(socket, host, deadline.signal, certificate) : socket;
  } catch (error) {
    throw deadline.signal.aborted ? errorWithCode('ETIMEDOUT') : error;
  } finally {
    clearTimeout(timer);
  }
}

function encrypt(
  socket: Socket,
  host: string,
  deadline: AbortSignal,
  certificate?: ClientCertificate,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const name = isIP(host) === 0 && { servername: host };
    const wrapped = connectTls({ socket, ALPNProtocols: ['http/1.1'], ...name, ...certificate });
    wrapped.once('secureConnect', () => resolve(wrapped.off('error', reject))).once('error', reject);
    deadline.addEventListener('abort', () => wrapped.destroy(errorWithCode('ETIMEDOUT')));
  });
}

function tunnel(proxy: URL, path: string, deadline: AbortSignal): Promise<Socket> {
  const credentials = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
      host: socketHost(proxy),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path,
      agent: false,
      signal: deadline,
      headers: {
        Host: path,
        ...(proxy.username !== '' && {
          'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
        }),
      },
    });
    request.once('connect', ({ statusCode = 0 }, socket) => {
      if (isSuccess(statusCode)) return resolve(socket);
      socket.destroy();
      return reject(errorWithCode(`PROXY_ANSWERED_${statusCode}`));
    });
    // Until the tunnel is there, no error is of the target.
    request.once('error', (error) => reject(errorWithCode(`PROXY_${errorCode(error) ?? error.name}`))).end();
  });
}

function errorWithCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** The host of a URL as sockets and resolvers take it. A URL has an IPv6 address in brackets (RFC 3986 3.2.2). */
export function socketHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '');
}
