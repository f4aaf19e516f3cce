import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { Answered } from '../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult, CheckRun } from '../../harness/checks/check.ts';
import { given } from '../../harness/contract/collections.ts';
import type { Contract, HeaderDimension } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { isJwt, isWellFormed } from '../../harness/plan/token-bytes.ts';
import { discover, reachable } from './authorization-server/discovery.ts';
import { onePerFamily } from './shared/breadth.ts';
import { decideEach, decisionOn, inconclusive, observed, observedRefusal } from './shared/decision.ts';
import { encryptedFor } from './shared/encrypted-jwt.ts';
import { forge } from './shared/forged-jwt.ts';
import { objectIn } from './shared/json-object.ts';
import { stays } from './shared/stays.ts';
import { alteredFrom } from './shared/token-alterations.ts';
import { type Made, madeOf } from './shared/token-recipes.ts';

/** What every recipe makes of a token is another one. */
export const tampering: CheckRun = async (api) => {
  const own = await madeWithPublicKey(api);
  const make =
    (breadth: CheckApi['breadth']): Make =>
    (planned) => [
      ...madeOf({ ...api, breadth }, { ...planned, kind: planned.values.kind }),
      ...(planned.values.kind === 'OAUTH' ? own : []),
    ];
  // The matrix changes a character in the middle, too.
  const isSent = (made: Made, tampered: PlannedCase) =>
    made.token === tampered.credential?.token && api.seen(tampered) !== undefined;
  const [first, ...others] = api.contract.operations;
  const unsent: Make = (planned, tampered) =>
    make(api.breadth)(planned, tampered).filter((made) => !isSent(made, tampered));
  const results = await tamper(api, { operation: first, kinds: api.claims.kinds, make: unsent });
  if (api.breadth !== 'whole') return results;
  // Another part of the service may answer another operation, and read tokens by itself.
  const families = onePerFamily(api, 'last');
  const elsewhere = (one: Operation) => tamper(api, { operation: one, kinds: families, make: make('telling') });
  const beside = ([name, value]: Header) => {
    const kinds = families.filter((kind) => neededBy(api.contract, kind, name) === undefined);
    return tamper(api, { operation: first, kinds, make: make('telling'), headers: { [name]: value } });
  };
  return [
    ...results,
    ...(await decideEach(others, elsewhere)),
    ...(await decideEach(headersOfKinds(api.contract), beside)),
  ];
};

/**
 * Tokens that are signed with the public key of the authorization server as a secret. Everybody knows it, and a server that lets
 * the token choose its algorithm takes it for one (RFC 8725 2.1). And one that is encrypted for it.
 */
async function madeWithPublicKey(api: CheckApi): Promise<readonly Made[]> {
  const token = api.full('OAUTH')?.token;
  if (token === undefined || !isJwt(token) || !api.claims.capabilities.includes('authorization-server')) return [];
  const { server } = await discover(api);
  const url = await reachable(api, server?.['jwks_uri']);
  if (!url) return [];
  const { text } = await api.visit({ url, shows: 'the keys of the authorization server are here', wanted: 'either' });
  const published = keyOf(token, objectIn(text)?.['keys']);
  const key = publicKeyOf(published);
  if (!published || !key) return [];
  const forms = writtenForms(key, published).slice(0, api.breadth === 'whole' ? undefined : MOST_FORMS);
  const made = [
    ...forms.map(([how, secret]) => ({
      how: `HS256 and the public key as its secret${how}`,
      token: forge(token, {}, { secret }),
    })),
    { how: 'a JWE for the public key around a JWT without a signature', token: encryptedFor(key, token) },
  ];
  return made.flatMap(({ how, token: forged }) => (forged ? [{ how, token: forged, isFree: false }] : []));
}

/** A target on another machine gets so many of them: each costs a refused token. */
const MOST_FORMS = 2;

/** Undefined if it cannot be read. */
function publicKeyOf(key: JsonWebKey | undefined): KeyObject | undefined {
  try {
    return key && createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** A public key as servers keep it (RFC 7468 13), the usual way first. */
function writtenForms(key: KeyObject, published: JsonWebKey): readonly (readonly [how: string, secret: string])[] {
  const pem = key.export({ type: 'spki', format: 'pem' }).toString();
  const isRsa = key.asymmetricKeyType === 'rsa';
  return [
    ['', pem],
    [', without its last line break', pem.trimEnd()],
    [' as a JWK', JSON.stringify(published)],
    ...(isRsa ? [[' in the form of PKCS #1', key.export({ type: 'pkcs1', format: 'pem' }).toString()] as const] : []),
    ...given([published.n, published.x]).map((one) => [', its number alone', one] as const),
  ];
}

/** The key that the token names, or else the first one. */
function keyOf(token: string, keys: unknown): JsonWebKey | undefined {
  const { kid } = objectIn(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) ?? {};
  const all = [keys].flat().filter((one): one is JsonWebKey => typeof one === 'object' && one !== null);
  return all.find((one) => one['kid'] === kid) ?? all[0];
}

/** The headers that some kind of token needs. A server may read every token beside them as one of that kind. */
function headersOfKinds(contract: Contract): readonly Header[] {
  const kinds = Object.keys(contract.matrix.kinds);
  return contract.headers.flatMap((name) => {
    const [value] = kinds.flatMap((kind) => neededBy(contract, kind, name) ?? []);
    return value === undefined ? [] : [[name, value] as const];
  });
}

function neededBy({ matrix }: Contract, kind: string, name: HeaderDimension): string | undefined {
  const value = matrix.kinds[kind]?.neutral[name];
  return value === 'absent' ? undefined : value;
}

/** A token with any one character altered is another one. */
export const alteration: CheckRun = (api) =>
  tamper(api, {
    operation: api.contract.operations[0],
    kinds: api.claims.kinds,
    make: ({ credential }) => alteredFrom(credential?.token ?? '', api.seed),
  });

type Header = readonly [name: HeaderDimension, value: string];
type Make = (planned: PlannedCase, tampered: PlannedCase) => readonly Made[];

interface Tampering {
  readonly operation: Operation;
  readonly kinds: readonly string[];
  readonly make: Make;
  /** Values of headers that these kinds do not need. Nothing is decided if the original is refused beside them. */
  readonly headers?: Readonly<Record<HeaderDimension, string>>;
}

/** Sends each tampered token right after an accepted request with the original, on the same connection. */
async function tamper(api: CheckApi, { operation, kinds, make, headers = {} }: Tampering) {
  return decideEach(kinds, async (kind) => {
    const planned = api.planned(operation.id, kind, headers);
    const tampered = api.planned(operation.id, kind, { ...headers, validity: 'tampered' });
    const original = planned?.credential;
    if (!original) return [];
    const unit = { requirement: 'token.tampered', operation: planned.values.operation, kind };
    if (!tampered) return [decisionOn(api, unit, inconclusive('the plan has no tampered token of this kind'))];
    const connection = api.connect();
    const isBeside = Object.keys(headers).length > 0;
    if (isBeside && !(await connection.send(planned, 'the original token is accepted')).answer.accepted) return [];
    const tried: { readonly made: Made; readonly result: CheckResult }[] = [];
    // The redactor reads all texts anew after a new secret, so it gets the tokens of a kind together.
    const all = make(planned, tampered).filter(({ token }) => isWellFormed(api.contract, token));
    const derived = all.map((made) => {
      // A token of TOKEN_COMMAND is in no variable, so no shell expression can alter it.
      const shell = original.source === 'variable' ? made.shell?.(original.variable) : undefined;
      return { made, credential: api.derive(original, made.token, made.how, shell) };
    });
    for (const { made, credential } of derived) {
      const how = `with ${made.how}`;
      const own = connection.fork();
      let accepted: Answered | undefined;
      const ask = async () => {
        const { answer } = await own.send(planned, 'the original token is accepted');
        accepted = answer;
        // The refusal of the tampered token would prove nothing, so it is not sent.
        if (!answer.accepted) return { answer, judgement: undefined };
        const shows = `a token ${how} is ${made.isFree ? 'left open' : 'refused with 401'}`;
        return own.send({ ...tampered, credential }, shows);
      };
      const found = await stays({ api: own, planned: tampered, how, ask, beside: () => accepted });
      // Beside a header that is left open, another refusal is admitted, too: that shows less than those without it.
      const counted = isBeside ? found.filter(({ verdict }) => verdict !== 'pass') : found;
      tried.push(...counted.map((result) => ({ made, result })));
    }
    // A change of case or of hyphens is left open, unless another change is accepted too (outcomes 2).
    const isOpen = !tried.some(({ made, result }) => !made.isFree && isAccepted(result));
    return tried.map(({ made, result }) => (made.isFree && isOpen ? leftOpen(result, made) : result));
  });
}

const isAccepted = (result: CheckResult): boolean => result.verdict === 'fail' && result.broke?.accepted === true;

function leftOpen(result: CheckResult, { how }: Made): CheckResult {
  const { requirement, operation, kind, steps } = result;
  const unit = { requirement, operation, kind, steps };
  if (isAccepted(result)) return { ...unit, ...observed(`a token with ${how} is accepted`) };
  if (result.verdict !== 'pass') return result;
  return { ...unit, ...observedRefusal(result.acceptance, `a token with ${how} is refused`) };
}
