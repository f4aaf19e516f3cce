/** Scope names of service-issued tokens (spec 5.4). The own authorization server offers the same names (spec 5.3). */
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

/** The endpoints, the one scope that covers each, and the name of its body schema (spec 4). */
export const operations = [
  { id: 'search', path: '/rest/api/v1/search', scope: 'SEARCH', body: 'SearchRequest' },
  { id: 'chat', path: '/rest/api/v1/chat', scope: 'CHAT', body: 'ChatRequest' },
] as const satisfies readonly { id: string; path: string; scope: Scope; body: string }[];
export type Operation = (typeof operations)[number];
