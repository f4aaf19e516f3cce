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
