import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AdapterPayload } from 'oidc-provider';
import type { Scope } from '../terms/operations.ts';

// The tables as the code sees them; migrations.ts is what creates them. Times are epoch milliseconds.

/** Who may create which token (spec 2.1.2) depends on the role. */
export const roles = ['super-admin', 'admin', 'api-token-creator', 'user'] as const;
export type Role = (typeof roles)[number];

export const permissions = ['USER', 'GLOBAL'] as const;
export type Permission = (typeof permissions)[number];

export const people = sqliteTable('people', {
  id: text().primaryKey(),
  /** Lower case: two spellings of an address name one person. */
  email: text().notNull().unique(),
  name: text().notNull(),
  role: text({ enum: roles }).notNull(),
  /** Salted scrypt (password-hash.ts), or null for somebody who cannot sign in here. */
  passwordHash: text('password_hash'),
});

export const serviceTokens = sqliteTable('service_tokens', {
  id: text().primaryKey(),
  /** SHA-256 of the secret, which itself is stored nowhere (spec 2.1, 8.3). */
  hash: text().notNull().unique(),
  description: text().notNull(),
  permission: text({ enum: permissions }).notNull(),
  scopes: text({ mode: 'json' }).$type<readonly Scope[]>().notNull(),
  expiresAt: integer('expires_at'),
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
] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditEvents = sqliteTable('audit_events', {
  id: integer().primaryKey(),
  at: integer().notNull(),
  /** Email of whoever did it; of a sign-in that failed, whom it named. */
  actor: text().notNull(),
  action: text({ enum: auditActions }).notNull(),
  tokenId: text('token_id'),
  /** What no token tells: what was refused, and why. */
  detail: text(),
});

export const consoleSessions = sqliteTable('console_sessions', {
  /** SHA-256 of what the cookie holds. */
  hash: text().primaryKey(),
  personId: text('person_id').notNull(),
  expiresAt: integer('expires_at').notNull(),
});

export const authorizationRecords = sqliteTable(
  'authorization_records',
  {
    /** What oidc-provider calls the kind of record: Client, Grant, RefreshToken, ... */
    model: text().notNull(),
    /** SHA-256 of its identifier, which for codes and tokens is what their bearer shows. */
    key: text().notNull(),
    payload: text({ mode: 'json' }).$type<AdapterPayload>().notNull(),
    uid: text(),
    userCode: text('user_code'),
    grantId: text('grant_id'),
    /** Epoch seconds, as oidc-provider counts. */
    expiresAt: integer('expires_at'),
    consumedAt: integer('consumed_at'),
  },
  (table) => [primaryKey({ columns: [table.model, table.key] })],
);

export const authorizationSecrets = sqliteTable('authorization_secrets', {
  name: text({ enum: ['signing key', 'cookie key'] }).primaryKey(),
  value: text().notNull(),
});

export const documents = sqliteTable('documents', {
  id: integer().primaryKey(),
  title: text().notNull(),
  body: text().notNull(),
  ownerId: text('owner_id')
    .notNull()
    .references(() => people.id),
  audience: text({ enum: ['everyone', 'readers'] }).notNull(),
});

export const documentReaders = sqliteTable(
  'document_readers',
  {
    documentId: integer('document_id')
      .notNull()
      .references(() => documents.id),
    personId: text('person_id')
      .notNull()
      .references(() => people.id),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.personId] })],
);

export const conversations = sqliteTable('conversations', {
  id: text().primaryKey(),
  personId: text('person_id')
    .notNull()
    .references(() => people.id),
  createdAt: integer('created_at').notNull(),
});

export const messages = sqliteTable(
  'messages',
  {
    id: integer().primaryKey(),
    conversationId: text('conversation_id')
      .notNull()
      .references(() => conversations.id),
    author: text({ enum: ['person', 'service'] }).notNull(),
    text: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('messages_by_conversation').on(table.conversationId)],
);
