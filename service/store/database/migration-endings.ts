import { auditTrailWith, peopleEvents } from './audit-trail-schema.ts';

/** Migration 6: sessions, grants and tokens end with what they came from, keys rotate, and secrets can be encrypted. */
export const endings: readonly string[] = [
  // The audit trail gets more actions, and events without an actor: a client registers itself, keys rotate by age.
  'DROP TRIGGER service_tokens_created_event',
  'DROP TRIGGER service_tokens_revoked_event',
  ...auditTrailWith(`'token created', 'token refused', 'token revoked', 'signed in', 'sign-in failed', 'signed out',
       'password changed', 'person removed', 'client registered', 'client revoked', 'grant created', 'grant revoked',
       'keys rotated'`),

  // A removed person stays in the table, because tokens and events name them.
  'ALTER TABLE people ADD COLUMN password_changed_at INTEGER',
  'ALTER TABLE people ADD COLUMN removed_at INTEGER',
  'ALTER TABLE people ADD COLUMN removed_by TEXT REFERENCES people (email)',
  `CREATE TRIGGER people_stay_removed BEFORE UPDATE ON people WHEN OLD.removed_at IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a removed person stays removed'); END`,
  `CREATE TRIGGER people_get_no_token_after_removal BEFORE INSERT ON service_tokens
    WHEN EXISTS (SELECT 1 FROM people WHERE email IN (NEW.created_by, NEW.user_email) AND removed_at IS NOT NULL)
    BEGIN SELECT RAISE(ABORT, 'a removed person gets no token'); END`,

  // A session of the console knows the session of the authorization server that it began with.
  'ALTER TABLE console_sessions ADD COLUMN authorization_session TEXT',

  // Sessions and interactions held their identifiers in clear. They are short-lived, so people sign in again.
  `DELETE FROM authorization_records WHERE model IN ('Session', 'Interaction', 'RegistrationAccessToken')`,
  'ALTER TABLE authorization_records ADD COLUMN account_id TEXT',
  'ALTER TABLE authorization_records ADD COLUMN client_id TEXT',
  `UPDATE authorization_records SET
    account_id = json_extract(payload, '$.accountId'),
    client_id = coalesce(json_extract(payload, '$.clientId'), json_extract(payload, '$.client_id'))`,
  'CREATE INDEX authorization_records_by_account ON authorization_records (account_id)',
  'CREATE INDEX authorization_records_by_client ON authorization_records (client_id)',

  ...peopleEvents,

  // The keys of the authorization server rotate, so there can be several.
  `CREATE TABLE authorization_keys (
    id TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    retired_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO authorization_keys (id, value, created_at)
    SELECT lower(hex(randomblob(8))), json_object('signing', json(s.value), 'cookie', c.value), 1000 * unixepoch()
    FROM authorization_secrets s JOIN authorization_secrets c ON s.name = 'signing key' AND c.name = 'cookie key'`,
  'DROP TABLE authorization_secrets',

  `CREATE TABLE database_encryption (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    salt TEXT NOT NULL,
    proof TEXT NOT NULL
  ) STRICT`,
];
