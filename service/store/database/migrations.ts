/** The audit trail, and the triggers that write into it. Part of the first migration. */
const auditTrail: readonly string[] = [
  // Events without an actor: a client registers itself, keys rotate by age.
  `CREATE TABLE audit_events (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT REFERENCES people (email),
    action TEXT NOT NULL CHECK (action IN
      ('token created', 'token refused', 'token revoked', 'signed in', 'sign-in failed', 'signed out',
       'password changed', 'person removed', 'client registered', 'client revoked', 'grant created', 'grant revoked',
       'keys rotated', 'tool called')),
    token_id TEXT REFERENCES service_tokens (id),
    detail TEXT
  ) STRICT`,
  'CREATE INDEX audit_events_by_token ON audit_events (token_id)',
  'CREATE INDEX audit_events_by_actor ON audit_events (actor)',
  `CREATE TRIGGER audit_events_fixed BEFORE UPDATE ON audit_events
    BEGIN SELECT RAISE(ABORT, 'the audit trail is fixed'); END`,
  `CREATE TRIGGER audit_events_kept BEFORE DELETE ON audit_events
    BEGIN SELECT RAISE(ABORT, 'the audit trail is fixed'); END`,
  // A trigger records the event in the same statement, so no code can forget it and no crash can come between the two.
  `CREATE TRIGGER service_tokens_created_event AFTER INSERT ON service_tokens BEGIN
    INSERT INTO audit_events (at, actor, action, token_id)
    VALUES (NEW.created_at, NEW.created_by, 'token created', NEW.id);
  END`,
  `CREATE TRIGGER service_tokens_revoked_event AFTER UPDATE OF revoked_at ON service_tokens
    WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL BEGIN
    INSERT INTO audit_events (at, actor, action, token_id)
    VALUES (NEW.revoked_at, NEW.revoked_by, 'token revoked', NEW.id);
  END`,
  // Everything that a password opened ends in the same statement as the password.
  `CREATE TRIGGER people_password_changed AFTER UPDATE OF password_changed_at ON people
    WHEN NEW.password_changed_at IS NOT NULL BEGIN
    DELETE FROM console_sessions WHERE person_id = NEW.id;
    DELETE FROM authorization_records WHERE account_id = NEW.id;
    INSERT INTO audit_events (at, actor, action) VALUES (NEW.password_changed_at, NEW.email, 'password changed');
  END`,
  // A creator has seen the secrets of the tokens that they created, so these end too.
  `CREATE TRIGGER people_removed AFTER UPDATE OF removed_at ON people
    WHEN OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL BEGIN
    DELETE FROM console_sessions WHERE person_id = NEW.id;
    DELETE FROM authorization_records WHERE account_id = NEW.id;
    UPDATE service_tokens SET revoked_at = NEW.removed_at, revoked_by = NEW.removed_by
      WHERE revoked_at IS NULL AND (user_email = NEW.email OR created_by = NEW.email);
    INSERT INTO audit_events (at, actor, action, detail)
      VALUES (NEW.removed_at, NEW.removed_by, 'person removed', NEW.email);
  END`,
];

/**
 * The migrations, oldest first. Entry n migrates the database from version n to n + 1 in one transaction. Never edit a
 * released entry; add a new one. The SQL is in a module because the build contains modules only.
 */
export const migrations: readonly (readonly string[])[] = [
  [
    // A removed person stays in the table, because tokens and events name them.
    `CREATE TABLE people (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE CHECK (email = lower(email)),
      name TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('super-admin', 'admin', 'api-token-creator', 'user')),
      password_hash TEXT,
      password_changed_at INTEGER,
      removed_at INTEGER,
      removed_by TEXT REFERENCES people (email)
    ) STRICT`,
    `CREATE TRIGGER people_stay_removed BEFORE UPDATE ON people WHEN OLD.removed_at IS NOT NULL
      BEGIN SELECT RAISE(ABORT, 'a removed person stays removed'); END`,

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
      revoked_by TEXT REFERENCES people (email),
      last_used_at INTEGER,
      CHECK ((permission = 'USER') = (user_email IS NOT NULL))
    ) STRICT`,
    'CREATE INDEX service_tokens_by_creator ON service_tokens (created_by)',
    'CREATE INDEX service_tokens_by_user ON service_tokens (user_email)',
    // Only the last use and the revocation of a token ever change (spec 2.1, 8). A trigger holds for all code.
    `CREATE TRIGGER service_tokens_fixed
      BEFORE UPDATE OF id, hash, description, permission, scopes, expires_at, user_email, created_by, created_at
      ON service_tokens
      BEGIN SELECT RAISE(ABORT, 'a token is fixed at creation (spec 2.1, 8.1)'); END`,
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
    `CREATE TRIGGER people_get_no_token_after_removal BEFORE INSERT ON service_tokens
      WHEN EXISTS (SELECT 1 FROM people WHERE email IN (NEW.created_by, NEW.user_email) AND removed_at IS NOT NULL)
      BEGIN SELECT RAISE(ABORT, 'a removed person gets no token'); END`,

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

    // A match in the title counts more than a match in the body.
    `INSERT INTO document_words (document_words, rank) VALUES ('rank', 'bm25(3.0, 1.0)')`,

    // A session of the console knows the session of the authorization server that it began with.
    `CREATE TABLE console_sessions (
      hash TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES people (id),
      expires_at INTEGER NOT NULL,
      authorization_session TEXT
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE authorization_records (
      model TEXT NOT NULL,
      key TEXT NOT NULL,
      payload TEXT NOT NULL,
      uid TEXT,
      user_code TEXT,
      grant_id TEXT,
      expires_at INTEGER,
      consumed_at INTEGER,
      account_id TEXT,
      client_id TEXT,
      PRIMARY KEY (model, key)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX authorization_records_by_grant ON authorization_records (grant_id)',
    'CREATE INDEX authorization_records_by_uid ON authorization_records (uid)',
    'CREATE INDEX authorization_records_by_end ON authorization_records (expires_at)',
    'CREATE INDEX authorization_records_by_account ON authorization_records (account_id)',
    'CREATE INDEX authorization_records_by_client ON authorization_records (client_id)',

    // The keys of the authorization server rotate, so there can be several.
    `CREATE TABLE authorization_keys (
      id TEXT PRIMARY KEY,
      value TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      retired_at INTEGER
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE database_encryption (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      salt TEXT NOT NULL,
      proof TEXT NOT NULL
    ) STRICT`,

    ...auditTrail,
  ],
];
