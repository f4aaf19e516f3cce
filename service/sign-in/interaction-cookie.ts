import type { Adapter, AdapterFactory, AdapterPayload, Provider } from 'oidc-provider';

/** In characters. Browsers keep cookies of 4,096 bytes, and some proxies pass on headers of as many, all of them together. */
const maxLength = 2600;
/** Begins a kept sign-in. It has a character that the name of a record never has, and any random text may be valid Base64. */
const mark = 'kept.';

/**
 * Stores no sign-in that nobody has given a password for: its browser keeps it, in the signed cookie that names it otherwise.
 * Anyone can begin one, so stored ones of a stranger would take the place of those that people have begun. One that is too
 * large for a cookie is stored as before.
 */
export function unstoredUntilPassword(stored: AdapterFactory): AdapterFactory {
  return (model) => {
    const adapter = stored(model);
    return model === 'Interaction' && adapter ? interactions(adapter) : adapter;
  };
}

function interactions(adapter: Adapter): Adapter {
  return {
    ...adapter,
    async upsert(id, payload, expiresIn) {
      if (asCookie(payload) === undefined) await adapter.upsert(id, payload, expiresIn);
    },
    async find(id) {
      const kept = fromCookie(id);
      // Once a password was given, it is stored.
      return kept ? ((await adapter.find(kept.jti)) ?? kept) : adapter.find(id);
    },
  };
}

/** Puts each sign-in that is not stored into the cookie that would otherwise name its record. */
export function keepInCookie(provider: Provider): void {
  provider.on('interaction.started', (ctx) => {
    const { Interaction: interaction } = ctx.oidc.entities;
    const value = interaction && asCookie({ ...interaction });
    if (!interaction || value === undefined) return;
    const maxAge = interaction.exp * 1000 - Date.now();
    const path = `/interaction/${interaction.uid}`;
    ctx.cookies.set(provider.cookieName('interaction'), value, { path, maxAge, sameSite: 'lax', overwrite: true });
  });
}

/** Undefined: this one is stored, because somebody gave a password, or it is too large. */
function asCookie(payload: AdapterPayload): string | undefined {
  if (payload.accountId !== undefined || payload.result !== undefined || payload.session !== undefined)
    return undefined;
  const value = mark + Buffer.from(JSON.stringify(payload)).toString('base64url');
  return value.length <= maxLength ? value : undefined;
}

/** @param id what the cookie holds, and oidc-provider has checked its signature; or the name of a record, a random text */
function fromCookie(id: string): (AdapterPayload & { jti: string }) | undefined {
  if (!id.startsWith(mark)) return undefined;
  const payload = JSON.parse(Buffer.from(id.slice(mark.length), 'base64url').toString());
  return payload.exp > Date.now() / 1000 ? payload : undefined;
}
