import type { Depth } from '../contract/contract.ts';
import type { Catalogue } from './catalogue.ts';
import type { Claims } from './claims.ts';
import type { ClientCertificate } from './client-certificate.ts';
import type { Variable } from './variables.ts';

/** Milliseconds for an answer where CONFORMANCE_TIMEOUT_MS is not set. */
export const USUAL_TIMEOUT_MS = 10_000;

export interface Settings {
  readonly catalogue: Catalogue;
  /** Absolute, without a trailing slash; a path prefix is allowed. */
  readonly baseUrl: string;
  /** Whether the target is on this machine. */
  readonly loopback: boolean;
  /** Whether the credentials were made for this run, so the target is to blame for a refused control (outcomes 2). */
  readonly trusted: boolean;
  readonly variables: ReadonlyMap<string, Variable>;
  /** What TOKEN_COMMAND answered in this run. */
  readonly minted?: Minted;
  readonly claims: Claims;
  readonly depth: Depth;
  /** Requests a second; undefined means no limit. */
  readonly rate: number | undefined;
  /** The most refused tokens a minute. Undefined: 240 for a target on another machine (send/denials.ts). */
  readonly refusedPerMinute: number | undefined;
  /** Requests at once. */
  readonly concurrency: number;
  /** Milliseconds to wait for the headers of an answer, then for the end of its body. */
  readonly timeoutMs: number;
  /** Milliseconds to wait for the headers of an answer to a chat. */
  readonly chatTimeoutMs: number;
  /** How many chats a target on another machine may accept. Undefined: what the plan needs (preview/rehearse.ts). */
  readonly chatBudget: number | undefined;
  /** Headers for a gateway in front of the target; their values are secret. */
  readonly extraHeaders: readonly (readonly [string, string])[];
  /** Shown to the target in the TLS handshake, and to no other server. */
  readonly clientCertificate?: ClientCertificate | undefined;
  readonly reportDir: string;
}
/** Where the values of variables come from. A flag wins over the environment, and the environment over `.env`. */
export interface Sources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly dotenv: Readonly<Record<string, string>>;
  /** The line of each name in `.env`. */
  readonly lines?: ReadonlyMap<string, number>;
  /** Values of flags, by the name of the variable that they replace. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Whether plain http to another machine is allowed, and https without a look at its certificate. */
  readonly insecure?: boolean;
  /** The time to compare with the times in a JWT, in milliseconds since the epoch; if absent, they are not checked. */
  readonly now?: number;
}

export type MintAnswer =
  /** `expiresAt` in milliseconds since the epoch. */
  | { readonly token: string; readonly expiresAt?: number }
  | { readonly unsupported: string }
  | { readonly failed: string };

/** The answers of TOKEN_COMMAND, by the key of the token's use (`tokenKey`). */
export type Minted = ReadonlyMap<string, MintAnswer>;
