/** Indexes and triggers of the audit trail. Migrations 2, 5 and 6 use them. Released migrations are never edited, nor is this. */
export const auditTrail: readonly string[] = [
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
];
