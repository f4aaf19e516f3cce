import { auditTrail, peopleEvents } from './audit-trail-schema.ts';

/** Migration 7: the audit trail records which tools people called at the remote MCP server. */
export const toolCalls: readonly string[] = [
  // SQLite cannot alter a CHECK, so the table is created again. The triggers that write into it are dropped first.
  'DROP TRIGGER service_tokens_created_event',
  'DROP TRIGGER service_tokens_revoked_event',
  'DROP TRIGGER people_password_changed',
  'DROP TRIGGER people_removed',
  `CREATE TABLE audit_events_new (
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
  'INSERT INTO audit_events_new SELECT id, at, actor, action, token_id, detail FROM audit_events',
  'DROP TABLE audit_events',
  'ALTER TABLE audit_events_new RENAME TO audit_events',
  ...auditTrail,
  ...peopleEvents,
];
