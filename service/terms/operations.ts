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
