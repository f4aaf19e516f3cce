/** The audit trail, and the triggers that write into it. Part of the first migration. */
export const auditTrail: readonly string[] = [
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
