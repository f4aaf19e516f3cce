/** What a target may claim besides kinds of token. */
export const CAPABILITIES = ['scopes', 'administration', 'authorization-server', 'mcp'] as const;
export type Capability = (typeof CAPABILITIES)[number];
export interface CheckRow {
  readonly id: string;
  readonly title: string;
  /** The requirements that it can decide. */
  readonly requirements: readonly string[];
  /** Why everything that it concludes is interpreted, whatever the requirement rests on: it follows recipes of its own. */
  readonly interpreted?: string;
  /** What a contract must have so that the check applies. */
  readonly needs?: readonly Need[];
  /** Runs only for targets that claim this capability. */
  readonly capability?: Capability;
  /** Sends bursts, fuzz or many requests. Runs only against this machine, or with --intrusive (outcomes 6). */
  readonly intrusive?: boolean;
  /** Runs before the matrix: it decides the gravest requirements, and a run may end early. */
  readonly goesFirst?: true;
  /** What it decides depends on what else the target gets at the time, so it runs beside no other check. */
  readonly needsQuiet?: true;
  /** It reads the answers to everything that was sent, so each shard runs it on its own part. */
  readonly readsRun?: true;
}

/** What a check may need of a contract, in the words that follow `this contract has no`. */
const NEEDS = {
  'header-token': 'token in a header',
  bearer: 'bearer token in Authorization',
  scopes: 'scopes',
  acting: 'acting as somebody',
  identity: 'operation that shows who one is',
  'private-words': 'private documents that a search finds',
  conversations: 'conversations',
  'page-size': 'page size',
  lists: 'lists that may be empty',
  administration: 'administration of tokens',
  'authorization-server': 'authorization server',
  mcp: 'remote MCP server',
} as const;
export type Need = keyof typeof NEEDS;

type Needing = { readonly needs?: readonly Need[]; readonly capability?: Need };

/** A capability is a need too, except `scopes`: that says how many of them a run tries. */
export const needsOf = ({ needs = [], capability }: Needing): readonly Need[] => [
  ...needs,
  ...(capability ? [capability] : []),
];

/**
 * Why a check is not applicable to a contract: `this contract has no conversations`. Undefined if it is.
 * @param contract what checks can need of it.
 */
export function inapplicable(contract: { readonly has: readonly Need[] }, check: Needing): string | undefined {
  const lacking = needsOf(check).find((need) => !contract.has.includes(need));
  return lacking && `this contract has no ${NEEDS[lacking]}`;
}
