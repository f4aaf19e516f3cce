import type { Depth } from '../contract/contract.ts';
import type { Catalogue } from './catalogue.ts';
import type { Claims } from './claims.ts';
import type { Minted } from './minted-tokens.ts';
import type { Variable } from './variables.ts';

export interface Settings {
  readonly catalogue: Catalogue;
  /** Absolute, without a trailing slash; a path prefix is allowed. */
  readonly baseUrl: string;
  readonly loopback: boolean;
  /** Fixtures minted the credentials for this very run, so a refused control is the target's fault (OUTCOMES 2). */
  readonly trusted: boolean;
  readonly variables: ReadonlyMap<string, Variable>;
  /** What TOKEN_COMMAND made for this run. */
  readonly minted?: Minted;
  readonly claims: Claims;
  readonly depth: Depth;
  /** Requests a second; undefined is unlimited. */
  readonly rate: number | undefined;
  readonly concurrency: number;
  /** Milliseconds to response headers, then to the end of the body. */
  readonly timeoutMs: number;
  readonly chatTimeoutMs: number;
  /** Accepted chats on a remote target. */
  readonly chatBudget: number;
  readonly extraHeaders: readonly (readonly [string, string])[];
  readonly reportDir: string;
}
export interface Sources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly dotenv: Readonly<Record<string, string>>;
  /** Values of flags, by the variable that they win over. */
  readonly flags?: Readonly<Record<string, string>>;
  readonly insecure?: boolean;
  /** Milliseconds since the epoch that the times in a token are held against; without it nobody looks at them. */
  readonly now?: number;
}
