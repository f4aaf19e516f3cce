import type { KoaContextWithOIDC } from 'oidc-provider';
import { errors } from '../store/oidc-provider.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import { createThrottle } from './sign-in-throttle.ts';

export type ClientDocuments = ReturnType<typeof createClientDocuments>;

interface Options {
  readonly fetch: GuardedFetch;
  readonly hasConsent: (clientId: string) => Promise<boolean>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

interface Document {
  readonly text: string;
  /** How long its site allows to keep it. */
  readonly cacheControl: string;
}

interface Kept {
  /** Undefined: there is none at this address. */
  readonly document: Document | undefined;
  readonly isUsed: boolean;
  readonly fetchedAt: number;
  /** Until then it is not fetched again. */
  readonly until: number;
}

const minute = 60_000;
/** How long a document holds that cannot be fetched again. */
const longest = 24 * 60 * minute;
const maxKept = 500;
/** In each lane. */
const maxAtOnce = 8;
/** After which an answer can be expected that could not be had now, in seconds. */
const soon = 10;

/**
 * The metadata documents of clients whose id is the address of theirs. Anyone can make this server fetch one, so strangers have
 * a budget. It is none of the clients that a person uses: one with a consent, and one that a person who is signed in goes on
 * to. Only what is fetched counts.
 */
export function createClientDocuments({ fetch, hasConsent, now }: Options) {
  const kept = new Map<string, Kept>();
  const budgets = createThrottle({ now, attempts: registrationBurst, interval });
  const underWay = { strangers: 0, people: 0, used: 0 };
  const pending = new Map<string, Promise<void>>();

  /** @param person the one who is signed in in this browser */
  const load = async (id: string, person: string | undefined, ctx: KoaContextWithOIDC | undefined): Promise<void> => {
    const known = kept.get(id);
    if (known && known.until > now()) return;
    const isUsed = await hasConsent(id);
    const stale = known?.document && known.fetchedAt + longest > now() ? known : undefined;
    const lane = isUsed ? 'used' : person === undefined ? 'strangers' : 'people';
    const wait = underWay[lane] < maxAtOnce ? (isUsed ? undefined : budgets.attempt(person ?? '')) : soon;
    if (wait !== undefined) return stale ? undefined : unavailable(ctx, wait);
    underWay[lane] += 1;
    try {
      const document = await documentAt(new URL(id));
      if (!document && isUsed && !stale) return unavailable(ctx, soon);
      const found = !document && isUsed && stale ? stale : { document, isUsed, fetchedAt: now() };
      kept.delete(id);
      kept.set(id, { ...found, until: now() + minute });
      // The oldest gives way, and none that a person uses.
      for (const [oldest, { isUsed: stays }] of kept) if (kept.size > maxKept && !stays) kept.delete(oldest);
    } finally {
      underWay[lane] -= 1;
    }
  };

  const documentAt = async (url: URL): Promise<Document | undefined> => {
    try {
      const answer = await fetch(url, { headers: { accept: 'application/json' } });
      if (answer.status !== 200) return undefined;
      return { text: await answer.text(), cacheControl: answer.headers.get('cache-control') ?? '' };
    } catch {
      return undefined;
    }
  };

  return {
    /**
     * Fetches a document if that is necessary and allowed.
     *
     * @param ctx absent for a page of ours
     * @throws TemporarilyUnavailable: it may not be fetched now, or not be reached, and none is kept
     */
    async prepare(id: string, ctx: KoaContextWithOIDC | undefined): Promise<void> {
      const person = ctx?.oidc?.session?.accountId;
      const key = `${person} ${id}`;
      const loading = pending.get(key) ?? load(id, person, ctx).finally(() => pending.delete(key));
      pending.set(key, loading);
      await loading;
    },

    /** What `prepare` found. */
    answer(id: string): Response {
      const { document, fetchedAt = 0 } = kept.get(id) ?? {};
      if (!document) return new Response('', { status: 404 });
      const isFresh = fetchedAt + minute > now();
      return new Response(document.text, { headers: isFresh ? { 'cache-control': document.cacheControl } : {} });
    },
  };
}

function unavailable(ctx: KoaContextWithOIDC | undefined, wait: number): never {
  ctx?.set('retry-after', String(wait));
  const error = new errors.TemporarilyUnavailable(
    `the metadata of this client cannot be fetched now; try again in ${wait} seconds`,
  );
  throw Object.assign(error, { status: 503, statusCode: 503 });
}

/** Takes a registration. Returns undefined, or the seconds to wait when the limit is reached. */
export type RegistrationLimit = () => number | undefined;

/** So many registrations may come at once. */
const registrationBurst = 60;
/** Then one is allowed in so many milliseconds. */
const interval = 10_000;

/**
 * Limits the registrations of clients. Registration is open to everyone and needs no sign-in, so the limit is one for all: a
 * sender of a flood can choose its addresses.
 *
 * @param now epoch milliseconds
 */
export function createRegistrationLimit(now: () => number, burst: number = registrationBurst): RegistrationLimit {
  const throttle = createThrottle({ now, attempts: burst, interval });
  return () => throttle.attempt('everybody');
}
