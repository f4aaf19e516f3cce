import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A server certificate for an IPv4 address, a client certificate, and the private CA that issued both, as PEM. */
interface Certificates {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
  readonly client: { readonly cert: string; readonly key: string };
}

const DAY_MS = 86_400_000;

/** Makes a private CA and certificates of it (RFC 5280 4.1), valid from yesterday until tomorrow. */
export function makeCertificates(address: string): Certificates {
  if (!isIPv4(address)) throw new Error(`${address} is not an IPv4 address`);
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const client = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = nameOf('Conformance test CA');
  const isCa = extension(BASIC_CONSTRAINTS, sequence(der(0x01, Buffer.from([0xff]))), true);
  const names = sequence(der(0x87, Buffer.from(address.split('.').map(Number))));
  const sign = (subject: Buffer, publicKey: KeyObject, extensions: readonly Buffer[]) =>
    signed({ issuer, subject, publicKey, extensions, signer: authority.privateKey });
  return {
    ca: sign(issuer, authority.publicKey, [isCa]),
    certificate: sign(nameOf(address), server.publicKey, [extension(SUBJECT_ALT_NAME, names)]),
    key: pem(server.privateKey),
    client: { cert: sign(nameOf('Conformance test client'), client.publicKey, []), key: pem(client.privateKey) },
  };
}

const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

interface ToSign {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly signer: KeyObject;
}

function signed({ issuer, subject, publicKey, extensions, signer }: ToSign): string {
  const now = Date.now();
  const content = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(time(now - DAY_MS), time(now + DAY_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = createSign('sha256').update(content).sign(signer);
  const certificate = sequence(content, ECDSA_WITH_SHA256, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** A value in DER (X.690 10): its tag, its length in as few bytes as possible, and its content. */
function der(tag: number, content: Buffer): Buffer {
  const size = content.length;
  const long = size < 0x80 ? [] : size < 0x100 ? [0x81] : [0x82, size >> 8];
  return Buffer.concat([Buffer.from([tag, ...long, size & 0xff]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

function identifier(...bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

/** `YYMMDDHHMMSSZ`. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

/** A name that consists of a common name, 2.5.4.3. */
function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(identifier(0x55, 0x04, 0x03), der(0x0c, Buffer.from(text)))));
}

const SUBJECT_ALT_NAME = identifier(0x55, 0x1d, 0x11);
const BASIC_CONSTRAINTS = identifier(0x55, 0x1d, 0x13);
const ECDSA_WITH_SHA256 = sequence(identifier(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

function extension(id: Buffer, content: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [der(0x01, Buffer.from([0xff]))] : [];
  return sequence(id, ...critical, der(0x04, content));
}
