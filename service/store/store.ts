import { type AuditTrail, openAuditTrail } from './audit-trail.ts';
import { type AuthorizationRecords, openAuthorizationRecords } from './authorization-records.ts';
import { type ConsoleSessions, openConsoleSessions } from './console-sessions.ts';
import { type Conversations, openConversations } from './conversations.ts';
import { openDatabase } from './database.ts';
import { type Documents, openDocuments } from './documents.ts';
import { type PasswordCost, passwordCost } from './password-hash.ts';
import { openPeople, type People } from './people.ts';
import { type Company, seed } from './seed.ts';
import { openServiceTokens, type ServiceTokens } from './service-tokens.ts';
import { openTokenList, type TokenList } from './token-list.ts';

/** All data of the service. */
export interface Store {
  readonly people: People;
  readonly serviceTokens: ServiceTokens;
  readonly tokenList: TokenList;
  readonly auditTrail: AuditTrail;
  readonly consoleSessions: ConsoleSessions;
  readonly authorization: AuthorizationRecords;
  readonly documents: Documents;
  readonly conversations: Conversations;
  /** Fills a store without people and leaves every other store alone. Returns whether it was filled. */
  seed(company: Company): Promise<boolean>;
  /** @throws when the database does not respond */
  check(): Promise<void>;
  close(): void;
}

/**
 * Opens the store.
 *
 * @param url `:memory:`, or `file:<path>`
 * @param now the service's clock, in epoch milliseconds
 * @param cost of hashing passwords; only tests use less than the default
 */
export async function openStore(url: string, now: () => number, cost: PasswordCost = passwordCost): Promise<Store> {
  const db = await openDatabase(url);
  const people = openPeople(db, cost);
  const auditTrail = openAuditTrail(db, now);
  return {
    people,
    serviceTokens: openServiceTokens(db, people, auditTrail, now),
    tokenList: openTokenList(db, now),
    auditTrail,
    consoleSessions: openConsoleSessions(db, now),
    authorization: openAuthorizationRecords(db),
    documents: openDocuments(db),
    conversations: openConversations(db, now),
    seed: (company) => seed(db, company),
    check: async () => void (await db.$client.execute('SELECT 1')),
    close: () => db.$client.close(),
  };
}
