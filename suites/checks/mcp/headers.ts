import type { Check, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import { type Decided, inconclusive, pass, warn } from '../shared/decision.ts';
import { type Lines, linesOf, type Place, tell } from './message.ts';
import { tokensOf } from './tokens.ts';
import { advise, OWN } from './verdicts.ts';

/** The request headers of the client API, on every message. */
export const mcpHeaders: Check = {
  id: 'mcp-headers',
  title: 'The remote MCP server reads the request headers as the client API does',
  requirements: ['mcp.act-as', 'mcp.auth-type', 'mcp.header-names', OWN],
  capability: 'mcp',
  intrusive: false,
  async run(api) {
    const results: CheckResult[] = [];
    for (const kind of api.claims.kinds) {
      const { full } = tokensOf(api, kind);
      if (!full) continue;
      const lines = await linesOf(api.fork(), kind, full);
      for (const operation of api.contract.mcp) {
        const own = api.fork();
        const shows = `the documented headers are accepted for ${operation.id}`;
        const control = await tell(own, { operation, credential: full, headers: lines, shows, wanted: 'accepted' });
        const acceptance = control.kind === 'accepted' ? await own.acceptance(control.answer) : undefined;
        // The check mcp-admission reports a refusal.
        if (acceptance)
          results.push(...(await onMessage(own, { kind, credential: full, lines, operation, acceptance })));
      }
    }
    return results;
  },
};

async function onMessage(api: CheckApi, place: Place): Promise<CheckResult[]> {
  const { contract, people } = api;
  const { 'act-as': actAs, 'auth-type': authType, authorization } = contract.matrix.headers;
  const { kind, credential, lines } = place;
  const without = (name: string) => lines.filter(([line]) => line !== name);
  const results = advise(
    api,
    'mcp.header-names',
    kind,
    await outcome(api, place, {
      what: 'header names in lower case',
      authorization: null,
      headers: [[authorization.name, `Bearer ${credential.token}`] as const, ...lines].map(([name, value]) => [
        name.toLowerCase(),
        value,
      ]),
      wanted: 'accepted',
    }),
  );
  if (actsAs(contract, kind))
    for (const [what, headers] of [
      [`no ${actAs.name}`, without(actAs.name)],
      [`${actAs.name} that names nobody`, [...without(actAs.name), [actAs.name, people.nobody] as const]],
    ] as const)
      results.push(...advise(api, 'mcp.act-as', kind, await outcome(api, place, { what, headers, wanted: 'refused' })));
  if (contract.matrix.kinds[kind]?.family === 'external') {
    const change = { what: `no ${authType.name}`, headers: without(authType.name), wanted: 'refused' } as const;
    results.push(...advise(api, 'mcp.auth-type', kind, await outcome(api, place, change)));
  }
  return results;
}

interface Change {
  readonly what: string;
  readonly headers: Lines;
  readonly authorization?: null;
  readonly wanted: 'accepted' | 'refused';
}

async function outcome(
  api: CheckApi,
  { credential, operation, acceptance }: Place,
  { what, wanted, ...change }: Change,
): Promise<Decided> {
  const detail = `a request with ${what} is ${wanted} for ${operation.id}`;
  const told = await tell(api, { operation, credential, shows: detail, wanted, ...change });
  if (told.kind === 'lost') return inconclusive(told.why);
  return told.kind === wanted ? pass(acceptance, detail) : warn(told.answer, `a request with ${what} is ${told.kind}`);
}
