import fc from 'fast-check';
import type { Line } from './written-request.ts';

/** Header values that parsers often mishandle, and a generator of random ones. All are legal field values (RFC 9110 5.5). */
export interface HeaderValues<T> {
  readonly examples: readonly T[];
  readonly random: fc.Arbitrary<T>;
}

const printable = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i));
const VISIBLE = printable(0x21, 0x7e);
/** Visible characters, space, tab, and obs-text: bytes whose character set HTTP leaves undefined. */
const FIELD = fc.constantFrom(...VISIBLE, ' ', '\t', ...printable(0xa1, 0xff));
const field = (maxLength: number) =>
  fc.string({ unit: FIELD, minLength: 1, maxLength }).map((text) => text.trim() || '-');
const LONG = 'x'.repeat(6000);
const jwtPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Values of Authorization that belong to nobody. */
export const authorizations: HeaderValues<string> = {
  examples: [
    'Bearer Bearer',
    'Bearer ..',
    `Bearer ${jwtPart({ alg: 'none' })}.${jwtPart({ sub: 'admin', exp: 4102444800 })}.`,
    `Bearer ${jwtPart({ alg: 'HS256', kid: '../../../../dev/null' })}.${jwtPart({ iss: 'http://127.0.0.1:1' })}.AAAA`,
    `Bearer ${Buffer.from('{"alg":').toString('base64url')}.e30.AAAA`,
    "Bearer ' OR '1'='1",
    'Bearer =, realm="a", error="b',
    `Bearer ${LONG}`,
    'Digest username="admin", realm="", nonce="", uri="/", response=""',
    'Basic Og==',
  ],
  random: fc.oneof(
    field(40),
    field(40).map((text) => `Bearer ${text}`),
    fc.tuple(field(8), field(30)).map((parts) => parts.join(' ')),
  ),
};

/** Values of X-Service-ActAs that name nobody. */
export const identities: HeaderValues<string> = {
  examples: ['%@%', '__proto__', "' OR '1'='1", `${LONG}@people.invalid`, '@'],
  random: fc.oneof(
    field(30),
    fc.tuple(field(10), field(10)).map((parts) => `${parts.join('@')}.invalid`),
  ),
};

/** Values of X-Service-Auth-Type other than the documented one. */
export const authTypes: HeaderValues<string> = { examples: ['__proto__', LONG], random: field(20) };

/** Headers by which a gateway tells a service who the user is. A service must not trust them from other senders. */
export const forwardedIdentities = (email: string): HeaderValues<Line> => ({
  examples: [
    ['X-Forwarded-User', email],
    ['X-Remote-User', email],
    ['Remote-User', 'admin'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['Cookie', 'session=1; token=1; admin=true'],
  ],
  random: fc.tuple(fc.constantFrom('X-User', 'X-Email', 'X-Api-Key', 'Proxy-Authorization', 'X-Real-IP'), field(30)),
});

export const linesWith = (name: string, { examples, random }: HeaderValues<string>): HeaderValues<Line> => ({
  examples: examples.map((value) => [name, value]),
  random: random.map((value) => [name, value]),
});
