import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Scope } from '../../terms/operations.ts';

// The columns as Drizzle reads and writes them. migrations.ts creates the tables, with their keys and indexes. Times are epoch
// milliseconds.

/** The role decides which tokens a person may create (spec 2.1). */
export const roles = ['super-admin', 'admin', 'api-token-creator', 'user'] as const;
export type Role = (typeof roles)[number];

export const permissions = ['USER', 'GLOBAL'] as const;
export type Permission = (typeof permissions)[number];

export const people = sqliteTable('people', {
  id: text().primaryKey(),
  /** In lower case, so that one email cannot belong to two people. */
  email: text().notNull(),
  name: text().notNull(),
  role: text({ enum: roles }).notNull(),
  /** See password-hash.ts. Null: the person cannot sign in. */
  passwordHash: text('password_hash'),
  /** When somebody last set a new password. To hash the same password again does not count. */
  passwordChangedAt: integer('password_changed_at'),
  /** A removed person is not found any more. Their email is never given to another person. */
  removedAt: integer('removed_at'),
  removedBy: text('removed_by'),
});

export const serviceTokens = sqliteTable('service_tokens', {
  id: text().primaryKey(),
  /** SHA-256 of the secret. The secret itself is not stored (spec 2.1, 8). */
  hash: text().notNull(),
  description: text().notNull(),
  permission: text({ enum: permissions }).notNull(),
  scopes: text({ mode: 'json' }).$type<readonly Scope[]>().notNull(),
  /** The token is refused from this moment on. Null: it never expires. */
  expiresAt: integer('expires_at'),
  /** The person a USER token runs as. Null for GLOBAL. */
  userEmail: text('user_email'),
  createdBy: text('created_by').notNull(),
  createdAt: integer('created_at').notNull(),
  revokedAt: integer('revoked_at'),
  revokedBy: text('revoked_by'),
  lastUsedAt: integer('last_used_at'),
});

export const auditActions = [
  'token created',
  'token refused',
  'token revoked',
  'signed in',
  'sign-in failed',
  'signed out',
  'password changed',
  'person removed',
  'client registered',
  'client revoked',
  'grant created',
  'grant revoked',
  'keys rotated',
  'tool called',
] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditEvents = sqliteTable('audit_events', {
  id: integer().primaryKey(),
  at: integer().notNull(),
  /**
   * Email of the person who did it. For a failed sign-in, the person whose email was entered. Null: nobody who signed in, or
   * the service itself.
   */
  actor: text(),
  action: text({ enum: auditActions }).notNull(),
  tokenId: text('token_id'),
  /** For a refused token: what was requested and the reason for the refusal. Else what the action was about. */
  detail: text(),
});

export const consoleSessions = sqliteTable('console_sessions', {
  /** SHA-256 of the secret in the cookie. */
  hash: text().primaryKey(),
  personId: text('person_id').notNull(),
  expiresAt: integer('expires_at').notNull(),
  /** The `sid` of the ID token that the session began with. */
  authorizationSession: text('authorization_session'),
});

export const authorizationRecords = sqliteTable('authorization_records', {
  /** The kind of record, as oidc-provider names it: Client, Grant, RefreshToken, ... */
  model: text().notNull(),
  /** SHA-256 of its identifier. The identifier of a code or token is the code or token itself. */
  key: text().notNull(),
  /** JSON, sealed where the database is encrypted (seal.ts). */
  payload: text().notNull(),
  /** SHA-256 of it. */
  uid: text(),
  userCode: text('user_code'),
  grantId: text('grant_id'),
  accountId: text('account_id'),
  clientId: text('client_id'),
  /** Epoch seconds, as oidc-provider uses them. */
  expiresAt: integer('expires_at'),
  consumedAt: integer('consumed_at'),
});

export const authorizationKeys = sqliteTable('authorization_keys', {
  id: text().primaryKey(),
  /** JSON, sealed where the database is encrypted (seal.ts). */
  value: text().notNull(),
  createdAt: integer('created_at').notNull(),
  /** Null: it is in use. */
  retiredAt: integer('retired_at'),
});

export const databaseEncryption = sqliteTable('database_encryption', {
  id: integer().primaryKey(),
  salt: text().notNull(),
  /** A text that only the right key opens. */
  proof: text().notNull(),
});

export const documents = sqliteTable('documents', {
  id: integer().primaryKey(),
  title: text().notNull(),
  body: text().notNull(),
  ownerId: text('owner_id').notNull(),
  audience: text({ enum: ['everyone', 'readers'] }).notNull(),
});

export const documentReaders = sqliteTable('document_readers', {
  documentId: integer('document_id').notNull(),
  personId: text('person_id').notNull(),
});

export const conversations = sqliteTable('conversations', {
  id: text().primaryKey(),
  personId: text('person_id').notNull(),
  createdAt: integer('created_at').notNull(),
});

export const messages = sqliteTable('messages', {
  id: integer().primaryKey(),
  conversationId: text('conversation_id').notNull(),
  author: text({ enum: ['person', 'service'] }).notNull(),
  text: text().notNull(),
  createdAt: integer('created_at').notNull(),
});
