import { generateKeyPairSync, sign } from 'node:crypto';
import type { Check, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import { isJwt, tamperAt } from '../../harness/plan/tamper.ts';
import { confirmCase } from './shared/confirm.ts';
import { blame, decisionOn, fail, inconclusive, pass } from './shared/decision.ts';
import { isSameToken } from './shared/token-bytes.ts';

/** A way to make a token from a valid one. `make` returns undefined if it does not apply to the token. */
export interface Recipe {
  readonly how: string;
  readonly make: (token: string, other: string | undefined) => string | undefined;
}

const RECIPES: readonly Recipe[] = [
  { how: 'first character changed', make: (token) => tamperAt(token, 0).token },
  { how: 'middle character changed', make: (token) => tamperAt(token, Math.floor(token.length / 2)).token },
  { how: 'last character changed', make: (token) => tamperAt(token, token.length - 1).token },
  { how: 'last character dropped', make: (token) => token.slice(0, -1) },
  { how: 'last four characters dropped', make: (token) => token.slice(0, -4) },
  { how: 'one character appended', make: (token) => token + (/[A-Za-z0-9]/.exec(token)?.[0] ?? 'A') },
  { how: 'case of one letter changed', make: (token) => swapCase(token, 1) },
  { how: 'case of every letter changed', make: (token) => swapCase(token, Number.POSITIVE_INFINITY) },
  { how: 'second half replaced by that of another valid token', make: (token, other) => splice(token, other) },
  { how: 'alg none and no signature', make: (token) => forge(token, { header: { alg: 'none' } }, 'none') },
  { how: 'alg none in another case', make: (token) => forge(token, { header: { alg: 'NoNe' } }, 'none') },
  { how: 'signed with another key under the same kid', make: (token) => forge(token, {}, 'own key') },
  { how: 'signed with a key embedded as jwk', make: (token) => forge(token, {}, 'embedded key') },
  { how: 'exp moved into the future', make: (token) => forge(token, { payload: { exp: 4_102_444_800 } }, 'kept') },
  { how: 'sub changed', make: (token) => forge(token, { payload: { sub: 'somebody-else' } }, 'kept') },
  {
    how: 'scope widened',
    make: (token) => forge(token, { payload: { scope: 'everything', scp: 'everything' } }, 'kept'),
  },
];

/** Sends each tampered token right after an accepted request with the original, on the same connection. */
export const tampering: Check = {
  id: 'tampering',
  title: 'A tampered token is refused with 401 right after the original was accepted',
  requirements: ['token.tampered', 'message.act-as-missing', 'message.invalid-identity', 'message.auth-type'],
  intrusive: true,
  async run(api) {
    const [operation] = api.contract.operations;
    const results: CheckResult[] = [];
    for (const kind of operation ? api.claims.kinds : []) {
      const planned = operation && api.planned(operation.id, kind, {});
      const credential = planned?.credential;
      if (!planned || !credential) continue;
      const other = api.claims.kinds
        .flatMap((name) => (name === kind ? [] : (api.full(name) ?? [])))
        .find((candidate) => candidate.token.length === credential.token.length);
      const connection = api.connect();
      for (const recipe of RECIPES) {
        const token = recipe.make(credential.token, other?.token);
        if (token === undefined || isSameToken(credential.token, token)) continue;
        const own = connection.fork();
        results.push(await decide(own, planned, own.derive(credential, token, recipe.how), recipe.how));
      }
    }
    return results;
  },
};

async function decide(
  api: CheckApi,
  planned: NonNullable<ReturnType<CheckApi['planned']>>,
  tampered: Credential,
  how: string,
): Promise<CheckResult> {
  const { operation, kind } = planned.values;
  const unit = { requirement: 'token.tampered', operation, kind };
  const tamperedCase = api.planned(operation, kind, { validity: 'tampered' });
  if (!tamperedCase) return decisionOn(api, unit, inconclusive('the plan has no tampered token of this kind'));
  let original: CheckAnswer | undefined;
  const found = await confirmCase(async () => {
    const sent = await api.send(planned, 'the original token is accepted');
    original = sent.answer;
    // The refusal of the tampered token would prove nothing, so it is not sent.
    if (!original.accepted) return { answer: original, judgement: undefined };
    return api.send({ ...tamperedCase, credential: tampered }, `a token with ${how} is refused with 401`);
  });
  if (!original?.accepted)
    return decisionOn(api, unit, inconclusive('the original token was not accepted right before'));
  switch (found.kind) {
    case 'right':
      return decisionOn(api, unit, pass(await api.acceptance(original), how));
    case 'lost':
      return decisionOn(api, unit, inconclusive(`${how}: ${found.why}`));
    case 'wrong':
    case 'fleeting': {
      const { strayMessage, suspects, wanted, got } = found.miss;
      // The refusal may be right, and only its message belongs to something else.
      const requirement = (strayMessage && suspects[0]?.requirement) ?? unit.requirement;
      const failed = { ...fail(found.answer, `${tampered.recipe}: wanted ${wanted}, got ${got}`), wanted, got };
      return decisionOn(api, { ...unit, requirement }, blame(found.kind, failed));
    }
  }
}

/** Only for tokens with letters of both cases. A hexadecimal token may be valid in either case. */
function swapCase(token: string, most: number): string | undefined {
  if (!/[a-z]/.test(token) || !/[A-Z]/.test(token)) return undefined;
  let left = most;
  // In a JWT, only the signature changes.
  const from = isJwt(token) ? token.lastIndexOf('.') + 1 : 0;
  const swapped = token.slice(from).replace(/[A-Za-z]/g, (letter) => {
    if (left <= 0) return letter;
    left -= 1;
    return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  });
  return token.slice(0, from) + swapped;
}

function splice(token: string, other: string | undefined): string | undefined {
  if (other === undefined || isJwt(token)) return undefined;
  const half = Math.floor(token.length / 2);
  // If both tokens begin with the same half, the result is the other valid token.
  const spliced = token.slice(0, half) + other.slice(half);
  return spliced === other ? undefined : spliced;
}

type Changes = { readonly header?: object; readonly payload?: object };

/** A JWT with changed claims, and no signature, the old one or one by another key (RFC 8725 2.1 and 3.1). */
function forge(
  token: string,
  { header = {}, payload = {} }: Changes,
  signature: 'none' | 'kept' | 'own key' | 'embedded key',
): string | undefined {
  if (!isJwt(token)) return undefined;
  const [head = '', body = '', kept = ''] = token.split('.');
  const [protectedHeader, original] = [objectIn(head), objectIn(body)];
  // A JWS may have any payload (RFC 7515 3). Without claims, there is nothing to forge.
  if (!protectedHeader || !original) return undefined;
  const claims: object = { ...original, ...payload };
  if (signature === 'kept') return `${head}.${encode(claims)}.${kept}`;
  if (signature === 'none') return `${encode({ ...protectedHeader, ...header })}.${encode(claims)}.`;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const embedded = signature === 'embedded key' ? { jwk: publicKey.export({ format: 'jwk' }) } : {};
  const input = `${encode({ ...protectedHeader, alg: 'ES256', ...embedded })}.${encode(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** The JSON object in a part of a token. Undefined if it is no JSON object. */
function objectIn(part: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
