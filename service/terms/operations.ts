/** Scope names of service-issued tokens (spec 5.4). Our own authorization server uses the same names. */
export const scopes = [
  'ACTIVITY',
  'AGENTS',
  'ANNOUNCEMENTS',
  'ANSWERS',
  'CHAT',
  'COLLECTIONS',
  'DOCPERMISSIONS',
  'DOCUMENTS',
  'ENTITIES',
  'FEEDBACK',
  'INSIGHTS',
  'MCP',
  'PEOPLE',
  'PINS',
  'SEARCH',
  'SHORTCUTS',
  'SUMMARIZE',
  'TOOLS',
  'VERIFICATION',
] as const;
export type Scope = (typeof scopes)[number];

export function isScope(name: unknown): name is Scope {
  return scopes.some((scope) => scope === name);
}

/** The endpoints, each with the scope that covers it and the name of its body schema (spec 4). */
export const operations = [
  { id: 'search', path: '/rest/api/v1/search', scope: 'SEARCH', body: 'SearchRequest' },
  { id: 'chat', path: '/rest/api/v1/chat', scope: 'CHAT', body: 'ChatRequest' },
] as const satisfies readonly { id: string; path: string; scope: Scope; body: string }[];
export type Operation = (typeof operations)[number];

/** The remote MCP server (spec 1, 5.4). The specification shows no endpoint, so the path is ours. */
export const mcpServer = { id: 'mcp', path: '/mcp', scope: 'MCP' } as const satisfies {
  id: string;
  path: string;
  scope: Scope;
};

/** What a request is for. */
export type Endpoint = Operation | typeof mcpServer;

/** The scopes with which every tool of the remote MCP server can be called. */
export const mcpScopes: readonly Scope[] = [mcpServer.scope, ...operations.map(({ scope }) => scope)];

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
const suggestedSets = [
  { id: 'search-application', name: 'Search application', scopes: ['SEARCH', 'DOCUMENTS'] },
  { id: 'chat-integration', name: 'Chat integration', scopes: ['CHAT', 'SEARCH'] },
  { id: 'analytics-dashboard', name: 'Analytics dashboard', scopes: ['INSIGHTS', 'ACTIVITY'] },
  { id: 'content-management', name: 'Content management', scopes: ['COLLECTIONS', 'PINS', 'SHORTCUTS'] },
] as const satisfies readonly { id: string; name: string; scopes: readonly Scope[] }[];

/** The sets that the console offers: the suggested ones, and one for a token that may do everything. */
export const offeredSets: readonly { readonly id: string; readonly name: string; readonly scopes: readonly Scope[] }[] =
  [...suggestedSets, { id: 'all', name: `All ${scopes.length} scopes`, scopes }];
