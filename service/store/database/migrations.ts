import { auditTrail } from './audit-trail-schema.ts';
import { endings } from './migration-endings.ts';
import { toolCalls } from './migration-tool-calls.ts';

/**
 * The migrations, oldest first. Entry n migrates the database from version n to n + 1 in one transaction. Never edit a
 * released entry; add a new one. The SQL is in a module because the build contains modules only.
 */
export const migrations: readonly (readonly string[])[] = [
  [
    `CREATE TABLE people (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE CHECK (email = lower(email)),
      name TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('super-admin', 'admin', 'api-token-creator', 'user')),
      password_hash TEXT
    ) STRICT`,

    `CREATE TABLE service_tokens (
      id TEXT PRIMARY KEY,
      hash TEXT NOT NULL UNIQUE,
      description TEXT NOT NULL CHECK (description <> ''),
      permission TEXT NOT NULL CHECK (permission IN ('USER', 'GLOBAL')),
      scopes TEXT NOT NULL CHECK (json_array_length(scopes) > 0),
      expires_at INTEGER,
      user_email TEXT REFERENCES people (email),
      created_by TEXT NOT NULL REFERENCES people (email),
      created_at INTEGER NOT NULL,
      revoked_at INTEGER,
      last_used_at INTEGER,
      CHECK ((permission = 'USER') = (user_email IS NOT NULL))
    ) STRICT`,
    // Permissions and scopes are fixed at creation (spec 2.1, 8); so are the person and the secret. A trigger holds for all code.
    `CREATE TRIGGER service_tokens_fixed
      BEFORE UPDATE OF id, hash, permission, scopes, user_email, created_by, created_at ON service_tokens
      BEGIN SELECT RAISE(ABORT, 'a token''s permission, scopes and person are fixed at creation (spec 2.1)'); END`,
    `CREATE TRIGGER service_tokens_stay_revoked
      BEFORE UPDATE OF revoked_at ON service_tokens WHEN OLD.revoked_at IS NOT NULL
      BEGIN SELECT RAISE(ABORT, 'a revoked token stays revoked'); END`,

    `CREATE TABLE documents (
      id INTEGER PRIMARY KEY,
      title TEXT NOT NULL,
      body TEXT NOT NULL,
      owner_id TEXT NOT NULL REFERENCES people (id),
      audience TEXT NOT NULL CHECK (audience IN ('everyone', 'readers'))
    ) STRICT`,
    `CREATE TABLE document_readers (
      document_id INTEGER NOT NULL REFERENCES documents (id),
      person_id TEXT NOT NULL REFERENCES people (id),
      PRIMARY KEY (document_id, person_id)
    ) STRICT, WITHOUT ROWID`,
    `CREATE VIRTUAL TABLE document_words
      USING fts5(title, body, content = 'documents', content_rowid = 'id', tokenize = 'porter unicode61')`,
    `CREATE TRIGGER documents_added AFTER INSERT ON documents BEGIN
      INSERT INTO document_words (rowid, title, body) VALUES (NEW.id, NEW.title, NEW.body);
    END`,
    `CREATE TRIGGER documents_removed AFTER DELETE ON documents BEGIN
      INSERT INTO document_words (document_words, rowid, title, body) VALUES ('delete', OLD.id, OLD.title, OLD.body);
    END`,
    `CREATE TRIGGER documents_changed AFTER UPDATE ON documents BEGIN
      INSERT INTO document_words (document_words, rowid, title, body) VALUES ('delete', OLD.id, OLD.title, OLD.body);
      INSERT INTO document_words (rowid, title, body) VALUES (NEW.id, NEW.title, NEW.body);
    END`,

    `CREATE TABLE conversations (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES people (id),
      created_at INTEGER NOT NULL
    ) STRICT`,
    `CREATE TABLE messages (
      id INTEGER PRIMARY KEY,
      conversation_id TEXT NOT NULL REFERENCES conversations (id),
      author TEXT NOT NULL CHECK (author IN ('person', 'service')),
      text TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`,
    'CREATE INDEX messages_by_conversation ON messages (conversation_id)',
  ],

  [
    'ALTER TABLE service_tokens ADD COLUMN revoked_by TEXT REFERENCES people (email)',
    'CREATE INDEX service_tokens_by_creator ON service_tokens (created_by)',
    'CREATE INDEX service_tokens_by_user ON service_tokens (user_email)',
    // The expiry is chosen at creation (spec 8). Only the last use and the revocation of a token ever change.
    'DROP TRIGGER service_tokens_fixed',
    `CREATE TRIGGER service_tokens_fixed
      BEFORE UPDATE OF id, hash, description, permission, scopes, expires_at, user_email, created_by, created_at
      ON service_tokens
      BEGIN SELECT RAISE(ABORT, 'a token is fixed at creation (spec 2.1, 8.1)'); END`,
    'DROP TRIGGER service_tokens_stay_revoked',
    `CREATE TRIGGER service_tokens_stay_revoked
      BEFORE UPDATE OF revoked_at, revoked_by ON service_tokens WHEN OLD.revoked_at IS NOT NULL
      BEGIN SELECT RAISE(ABORT, 'a revoked token stays revoked'); END`,
    `CREATE TRIGGER service_tokens_revoked_by_somebody
      BEFORE UPDATE OF revoked_at, revoked_by ON service_tokens
      WHEN (NEW.revoked_at IS NULL) <> (NEW.revoked_by IS NULL)
      BEGIN SELECT RAISE(ABORT, 'a token is revoked at a time and by somebody'); END`,
    // This also prevents INSERT OR REPLACE, because recursive triggers are on (database.ts).
    `CREATE TRIGGER service_tokens_kept BEFORE DELETE ON service_tokens
      BEGIN SELECT RAISE(ABORT, 'a token is fixed: revoke it, it stays in the books'); END`,

    `CREATE TABLE audit_events (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      actor TEXT NOT NULL REFERENCES people (email),
      action TEXT NOT NULL
        CHECK (action IN ('token created', 'token refused', 'token revoked', 'signed in', 'signed out')),
      token_id TEXT REFERENCES service_tokens (id),
      detail TEXT
    ) STRICT`,
    ...auditTrail,

    `CREATE TABLE console_sessions (
      hash TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES people (id),
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],

  [
    // A match in the title counts more than a match in the body.
    `INSERT INTO document_words (document_words, rank) VALUES ('rank', 'bm25(3.0, 1.0)')`,
  ],

  [
    `CREATE TABLE authorization_records (
      model TEXT NOT NULL,
      key TEXT NOT NULL,
      payload TEXT NOT NULL,
      uid TEXT,
      user_code TEXT,
      grant_id TEXT,
      expires_at INTEGER,
      consumed_at INTEGER,
      PRIMARY KEY (model, key)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX authorization_records_by_grant ON authorization_records (grant_id)',
    'CREATE INDEX authorization_records_by_uid ON authorization_records (uid)',
    'CREATE INDEX authorization_records_by_end ON authorization_records (expires_at)',
    `CREATE TABLE authorization_secrets (
      name TEXT PRIMARY KEY CHECK (name IN ('signing key', 'cookie key')),
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],

  [
    // SQLite cannot alter a CHECK, so the table is created again. The triggers that write into it are dropped first.
    'DROP TRIGGER service_tokens_created_event',
    'DROP TRIGGER service_tokens_revoked_event',
    `CREATE TABLE audit_events_anew (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      actor TEXT NOT NULL REFERENCES people (email),
      action TEXT NOT NULL CHECK (action IN
        ('token created', 'token refused', 'token revoked', 'signed in', 'sign-in failed', 'signed out')),
      token_id TEXT REFERENCES service_tokens (id),
      detail TEXT
    ) STRICT`,
    'INSERT INTO audit_events_anew SELECT id, at, actor, action, token_id, detail FROM audit_events',
    'DROP TABLE audit_events',
    'ALTER TABLE audit_events_anew RENAME TO audit_events',
    ...auditTrail,
  ],

  endings,
  toolCalls,
];
