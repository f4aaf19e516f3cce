import { auditTrailWith, peopleEvents } from './audit-trail-schema.ts';

/** Migration 7: the audit trail records which tools people called at the remote MCP server. */
export const toolCalls: readonly string[] = [
  'DROP TRIGGER service_tokens_created_event',
  'DROP TRIGGER service_tokens_revoked_event',
  'DROP TRIGGER people_password_changed',
  'DROP TRIGGER people_removed',
  ...auditTrailWith(`'token created', 'token refused', 'token revoked', 'signed in', 'sign-in failed', 'signed out',
       'password changed', 'person removed', 'client registered', 'client revoked', 'grant created', 'grant revoked',
       'keys rotated', 'tool called'`),
  ...peopleEvents,
];
