import { type Scope, scopes } from './operations.ts';

/** The area that each scope covers (spec 5.4). */
export const scopeAreas: Readonly<Record<Scope, string>> = {
  ACTIVITY: 'User activity: collection and reporting',
  AGENTS: 'Agents: creation and execution',
  ANNOUNCEMENTS: 'Company announcements: create and update',
  ANSWERS: 'Question-and-answer content',
  CHAT: 'Chat and conversations',
  COLLECTIONS: 'Content collections: create and manage',
  DOCPERMISSIONS: 'Document permissions and access control',
  DOCUMENTS: 'Documents: retrieval and metadata',
  ENTITIES: 'Entities: people and organizational data',
  FEEDBACK: 'User feedback',
  INSIGHTS: 'Insights: usage analytics and reports',
  MCP: 'Remote MCP server, for MCP hosts',
  PEOPLE: 'People directory, employee information',
  PINS: 'Pinned content',
  SEARCH: 'Search queries and autocomplete',
  SHORTCUTS: 'Shortcuts: short links',
  SUMMARIZE: 'Summaries of documents',
  TOOLS: 'Tools: list and execute',
  VERIFICATION: 'Verification of documents',
};

/** The suggested sets of scopes (spec 5.4). */
export const suggestedSets = [
  { id: 'search-application', name: 'Search application', scopes: ['SEARCH', 'DOCUMENTS'] },
  { id: 'chat-integration', name: 'Chat integration', scopes: ['CHAT', 'SEARCH'] },
  { id: 'analytics-dashboard', name: 'Analytics dashboard', scopes: ['INSIGHTS', 'ACTIVITY'] },
  { id: 'content-management', name: 'Content management', scopes: ['COLLECTIONS', 'PINS', 'SHORTCUTS'] },
] as const satisfies readonly { id: string; name: string; scopes: readonly Scope[] }[];

/** The sets that the console offers: the suggested ones, and one for a token that may do everything. */
export const offeredSets: readonly { readonly id: string; readonly name: string; readonly scopes: readonly Scope[] }[] =
  [...suggestedSets, { id: 'all', name: `All ${scopes.length} scopes`, scopes }];
