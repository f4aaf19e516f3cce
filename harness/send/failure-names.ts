import { errorCode } from '../contract/error-text.ts';
import type { Failure } from '../record/observation.ts';

const KINDS: Readonly<Record<string, Failure['failure']>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'refused',
  EAI_AGAIN: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  EPROTO: 'no-tls',
};

/** What the name of the kind would not say. */
const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
};

/** Describes an error by its code only, because its message may quote what was sent. */
export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  const failure = KINDS[code] ?? tlsFailure(code);
  if (failure === 'tls' || failure === 'no-tls') return { kind: 'failure', failure, detail: `TLS error (${code})` };
  // undici's parser error has a code only in some cases, so its name counts too.
  if (failure === 'protocol' || code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError'))
    return { kind: 'failure', failure: 'protocol', detail: `no usable answer (${code})` };
  if (failure) return { kind: 'failure', failure, detail: `${WORDS[code] ?? failure} (${code})` };
  return { kind: 'failure', failure: 'other', detail: `no usable answer (${code})` };
}

/** A server that does not speak TLS at all looks to OpenSSL like another version of it. */
function tlsFailure(code: string): Failure['failure'] | undefined {
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(code)) return 'no-tls';
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) ? 'tls' : undefined;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  return (errorCode(error) ?? error.name).slice(0, 60);
}
