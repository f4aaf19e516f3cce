import { openAuditTrail } from './audit-trail.ts';
import { openAuthorizationKeys } from './authorization-keys.ts';
import { openAuthorizationRecords } from './authorization-records.ts';
import { openConsents } from './consents.ts';
import { openConsoleSessions } from './console-sessions.ts';
import { openConversations } from './conversations.ts';
import { type Database, openDatabase } from './database/database.ts';
import { openDocuments } from './documents.ts';
import { openEncryption } from './encryption.ts';
import { type PasswordCost, passwordCost } from './password-hash.ts';
import { openPeople } from './people.ts';
import { type Company, seed } from './seed.ts';
import { openServiceTokens } from './service-tokens.ts';
import { openTokenList } from './token-list.ts';

/** All data of the service. */
export type Store = Readonly<Awaited<ReturnType<typeof storeOver>>>;

export interface StoreOptions {
  /** Of hashing passwords. Only tests use less than the default. */
  readonly cost?: PasswordCost | undefined;
  /** Encrypts the secrets of the authorization server. Absent: they are stored in clear. */
  readonly databaseKey?: string | undefined;
  /** Whether the service starts, which encrypts a database in clear. Default: true. */
  readonly isStart?: boolean;
}

/**
 * Opens the store.
 *
 * @param url `:memory:`, or `file:<path>`
 * @param now the service's clock, in epoch milliseconds
 * @throws when the file cannot be opened, or the database key is not the right one
 */
export async function openStore(url: string, now: () => number, options: StoreOptions = {}): Promise<Store> {
  const db = await openDatabase(url);
  try {
    return await storeOver(db, now, options);
  } catch (error) {
    db.$client.close();
    throw error;
  }
}

async function storeOver(db: Database, now: () => number, { cost, databaseKey, isStart = true }: StoreOptions) {
  const seal = await openEncryption(db, databaseKey, isStart);
  const people = openPeople(db, cost ?? passwordCost, now);
  const auditTrail = openAuditTrail(db, now);
  const consents = openConsents(db, seal, auditTrail);
  return {
    people,
    serviceTokens: openServiceTokens(db, people, auditTrail, now),
    tokenList: openTokenList(db, now),
    auditTrail,
    consoleSessions: openConsoleSessions(db, now),
    authorization: openAuthorizationRecords(db, seal, { onGrantRevoked: consents.recordRevocation }),
    authorizationKeys: openAuthorizationKeys(db, seal),
    consents,
    documents: openDocuments(db),
    conversations: openConversations(db, now),
    /** Fills a store without people and leaves every other store alone. Returns whether it was filled. */
    seed: (company: Company) => seed(db, company),
    /** @throws when the database does not respond */
    check: async () => void (await db.$client.execute('SELECT 1')),
    close: () => db.$client.close(),
  };
}
