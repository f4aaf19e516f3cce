import { type Administer, SELF, type TokenRecord, type TokenTerms } from '../commands/administration.ts';
import type { Contract } from '../contract/contract.ts';
import type { TokenUse } from '../settings/catalogue.ts';

export interface ImaginedAdministration {
  readonly administer: Administer;
  /** What the token with this secret can be used for; undefined if there is no such token, or it is revoked. */
  use(secret: string): TokenUse | undefined;
}

/** An administration in memory that conforms to spec 2.1, for a rehearsal. It runs no command. */
export function imaginedAdministration({ matrix }: Contract): ImaginedAdministration {
  const records = new Map<string, TokenRecord>();
  const secrets = new Map<string, string>();
  const auditLog: string[] = [];
  const now = () => new Date().toISOString();

  const objection = (actor: string, terms: TokenTerms): string | undefined => {
    const { description = '', permission = '', scopes = [], userEmail = '', expires } = terms;
    const own = permission === 'USER' && userEmail === SELF;
    const mayCreate = actor === 'super-admin' || (actor !== 'user' && own);
    if (!mayCreate) return 'the role may not create this token';
    if (description.trim() === '') return 'the description is missing';
    if (!['USER', 'GLOBAL'].includes(permission)) return 'the permission is unknown';
    if (scopes.length === 0 || scopes.some((scope) => !matrix.scopes.includes(scope))) return 'a scope is unknown';
    if (permission === 'USER' && userEmail === '') return 'the user is missing';
    return expires !== undefined && expires < now().slice(0, 10) ? 'the expiry is in the past' : undefined;
  };

  return {
    async administer({ action, actor, token: { id = '', ...terms } }) {
      const token = records.get(id) ?? {};
      const done = { kind: 'done', secret: undefined, token, tokens: [...records.values()] } as const;
      switch (action) {
        case 'create': {
          const why = objection(actor, terms);
          if (why !== undefined) {
            auditLog.push(`${actor} ${terms.userEmail}`);
            return { kind: 'refused', why };
          }
          const number = `${records.size + 1}`;
          const secret = `imagined-secret-of-token-${number}`;
          const userEmail = terms.userEmail === SELF ? `${actor}@staff.example` : terms.userEmail;
          const created = { id: number, ...terms, userEmail, created: now() };
          records.set(number, created);
          secrets.set(secret, number);
          return { ...done, secret, token: created, shown: '' };
        }
        case 'change':
          return { kind: 'refused', why: 'a token cannot be changed' };
        case 'revoke':
          records.set(id, { ...token, revoked: true });
          return { ...done, shown: '' };
        case 'read':
        case 'list':
          return { ...done, shown: JSON.stringify([...records.values()]) };
        case 'audit':
          return { ...done, shown: auditLog.join() };
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
