import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { errorCause } from '../contract/configuration-error.ts';
import { readOwnFile } from '../contract/read-file.ts';

/** A client certificate and its private key, as PEM. Only the host of TARGET_BASE_URL gets them (RFC 8446 4.4.2). */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

const [CERT, KEY] = ['CONFORMANCE_CLIENT_CERT', 'CONFORMANCE_CLIENT_KEY'] as const;

/**
 * Reads the files that the two variables name.
 * @param problems gets a line for each fault. No line shows what is in a file.
 * @param now the time to compare with the dates of the certificate; if absent, they are not checked.
 */
export function readClientCertificate(
  [certFile, keyFile]: readonly [cert: string | undefined, key: string | undefined],
  problems: string[],
  now?: number,
): ClientCertificate | undefined {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    const [missing, set] = certFile === undefined ? [CERT, KEY] : [KEY, CERT];
    problems.push(`${missing} is missing; ${set} needs it: set both to files in PEM`);
    return undefined;
  }
  const cert = textOf(CERT, certFile, problems);
  const key = textOf(KEY, keyFile, problems);
  if (cert === undefined || key === undefined) return undefined;
  const certificate = parsed(() => new X509Certificate(cert));
  const privateKey = parsed(() => createPrivateKey(key));
  if (!certificate) problems.push(`${CERT} names ${certFile}, which is no certificate in PEM`);
  if (!privateKey) problems.push(`${KEY} names ${keyFile}, which is no private key in PEM without a passphrase`);
  if (certificate && privateKey) problems.push(...pairProblems(certificate, privateKey, now));
  return { cert, key };
}

function pairProblems(certificate: X509Certificate, key: KeyObject, now: number | undefined): string[] {
  if (!certificate.checkPrivateKey(key)) return [`${KEY} is not the key of the certificate in ${CERT}`];
  const { validFrom, validTo } = certificate;
  if (now !== undefined && Date.parse(validTo) < now) return [`${CERT} expired at ${validTo}; get a new certificate`];
  if (now !== undefined && Date.parse(validFrom) > now) return [`${CERT} is only valid from ${validFrom}`];
  return [];
}

function textOf(name: string, file: string, problems: string[]): string | undefined {
  try {
    return readOwnFile(file).toString();
  } catch (error) {
    // The text of a key has no extension. It is not shown, and neither is a path that has none.
    const shown = /\.\w{1,5}$/.test(file) ? file : 'what it names';
    problems.push(`${name}: cannot read ${shown} (${errorCause(error)}); set it to the path of a file in PEM`);
    return undefined;
  }
}

function parsed<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
