import { type Administer, SELF, type TokenRecord, type TokenTerms } from '../commands/administration.ts';
import type { Contract } from '../contract/contract.ts';
import type { TokenUse } from '../settings/catalogue.ts';

export interface ImaginedAdministration {
  readonly administer: Administer;
  /** What the token with this secret is good for; undefined when there is none, or it is revoked. */
  use(secret: string): TokenUse | undefined;
}

/** An administration that keeps to spec 2.1, for a rehearsal: it runs no command and knows what it made. */
export function imaginedAdministration({ matrix }: Contract): ImaginedAdministration {
  const records = new Map<string, TokenRecord>();
  const secrets = new Map<string, string>();
  const trail: string[] = [];
  const now = () => new Date().toISOString();

  const objection = (actor: string, terms: TokenTerms): string | undefined => {
    const { description = '', permission = '', scopes = [], userEmail = '', expires } = terms;
    const own = permission === 'USER' && userEmail === SELF;
    const mayCreate = actor === 'super-admin' || (actor !== 'user' && own);
    if (!mayCreate) return 'not by this role';
    if (description.trim() === '') return 'no description';
    if (!['USER', 'GLOBAL'].includes(permission)) return 'no such permission';
    if (scopes.length === 0 || scopes.some((scope) => !matrix.scopes.includes(scope))) return 'no such scopes';
    if (permission === 'USER' && userEmail === '') return 'no user';
    return expires !== undefined && expires < now().slice(0, 10) ? 'in the past' : undefined;
  };

  return {
    async administer({ action, actor, token: { id = '', ...terms } }) {
      const token = records.get(id) ?? {};
      const done = { kind: 'done', secret: undefined, token, tokens: [...records.values()] } as const;
      switch (action) {
        case 'create': {
          const why = objection(actor, terms);
          if (why !== undefined) {
            trail.push(`${actor} ${terms.userEmail}`);
            return { kind: 'refused', why };
          }
          const number = `${records.size + 1}`;
          const secret = `imagined-secret-of-token-${number}`;
          const userEmail = terms.userEmail === SELF ? `${actor}@staff.example` : terms.userEmail;
          const made = { id: number, ...terms, userEmail, created: now() };
          records.set(number, made);
          secrets.set(secret, number);
          return { ...done, secret, token: made, shown: '' };
        }
        case 'change':
          return { kind: 'refused', why: 'nothing can be changed' };
        case 'revoke':
          records.set(id, { ...token, revoked: true });
          return { ...done, shown: '' };
        case 'read':
        case 'list':
          return { ...done, shown: JSON.stringify([...records.values()]) };
        case 'audit':
          return { ...done, shown: trail.join() };
      }
    },
    use(secret) {
      const id = secrets.get(secret) ?? '';
      const token = records.get(id);
      if (!token || token.revoked) return undefined;
      records.set(id, { ...token, lastUsed: token.lastUsed ?? now() });
      const { permission: kind = '', scopes = [] } = token;
      return { kind, validity: 'valid', holding: scopes.length === 1 ? `only:${scopes[0]}` : 'all' };
    },
  };
}
