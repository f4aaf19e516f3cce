import type { Values } from '../../harness/contract/contract.ts';

/** An admissible answer: a status or class of statuses, and a text that must stand in it. */
export interface Allowed {
  readonly status: string;
  readonly texts?: readonly string[];
  /** No documented text may stand in it. */
  readonly silent?: true;
}
/** What the second oracle says of a request. */
export interface Ruling {
  readonly success: boolean;
  readonly refusals: readonly Allowed[];
}

const MISSING = 'Required header missing: X-Service-ActAs';
const IDENTITY = 'Invalid identity';
const UNTYPED = ['Missing X-Service-Auth-Type header', 'Invalid Secret'];
const EXTERNAL = ['GOOGLE', 'AZURE', 'OKTA', 'ONELOGIN'];
const ANY_REFUSAL: Allowed = { status: '4xx' };

/**
 * The expected outcome as a plain function, written from the specification's text and without a look at rules.yaml: a
 * second opinion that shares neither its data nor its code. Its literals are on purpose (ledger.test.ts excepts it).
 */
export function rule(v: Values): Ruling {
  const faults: Allowed[] = [];
  const open: Allowed[] = [];
  const isGlobal = v.kind === 'GLOBAL';
  const isExternal = EXTERNAL.includes(v.kind);
  const isServiceIssued = isGlobal || v.kind === 'USER';
  const untyped = v['auth-type'] === 'absent';

  // Section 5.1: every request carries Authorization, as Bearer and a token.
  if (v.authorization === 'absent') faults.push({ status: '401' });
  if (['empty', 'no-scheme', 'basic'].includes(v.authorization))
    faults.push({ status: '400' }, { status: '401' }, { status: '4xx, a warning' });
  if (['scheme-case', 'spaces', 'trailing', 'doubled'].includes(v.authorization)) open.push(ANY_REFUSAL);

  // Section 7, first row: invalid or expired tokens. One that cannot be told from an external token may say so.
  const invalid = v.kind === 'unknown' || v.validity === 'tampered';
  if (invalid || v.validity === 'expired') faults.push({ status: '401' });
  if (invalid && untyped) faults.push({ status: '4xx', texts: UNTYPED });
  if (v.validity === 'foreign') faults.push({ status: '401' }, { status: '403' });

  // Section 7, rows three and four: whom a global token acts as.
  const actAs = v['act-as'];
  if (isGlobal && (actAs === 'absent' || actAs === 'blank')) faults.push({ status: '400', texts: [MISSING] });
  if (isGlobal && ['blank', 'unknown', 'unknown-domain', 'malformed'].includes(actAs))
    faults.push({ status: '401', texts: [IDENTITY] });
  if (actAs === 'doubled') open.push(ANY_REFUSAL);
  if (v.kind !== 'none' && v.kind !== 'unknown' && !isGlobal && actAs !== 'absent') open.push(ANY_REFUSAL);

  // Section 7, last row, and 5.1: who needs the auth type.
  if (isExternal && untyped) faults.push({ status: '4xx', texts: UNTYPED });
  if (!untyped && (v['auth-type'] !== 'OAUTH' || isServiceIssued)) open.push(ANY_REFUSAL);

  // Section 7, row two: the scope of the operation, or the permission of an OAuth token.
  const needed = v.operation.toUpperCase();
  if (v.kind !== 'none' && v.kind !== 'unknown' && !holds(v.holding, needed)) faults.push({ status: '403' });

  // Sections 2.3, 2.4 and 4: what the body must be.
  if (v.body !== 'valid') faults.push({ status: '4xx', silent: true });

  return { success: faults.length === 0, refusals: [...faults, ...open] };
}

/** Sets of section 5.4, as the specification lists them. */
const SETS: Readonly<Record<string, readonly string[]>> = {
  'set:search-application': ['SEARCH', 'DOCUMENTS'],
  'set:chat-integration': ['CHAT', 'SEARCH'],
  'set:analytics-dashboard': ['INSIGHTS', 'ACTIVITY'],
  'set:content-management': ['COLLECTIONS', 'PINS', 'SHORTCUTS'],
};

function holds(holding: string, scope: string): boolean {
  if (holding === 'all') return true;
  if (holding === 'none') return false;
  if (holding.startsWith('only:')) return holding.endsWith(`:${scope}`);
  if (holding.startsWith('all-but:')) return !holding.endsWith(`:${scope}`);
  return SETS[holding]?.includes(scope) ?? false;
}

/** Which documented texts a refusal of this request may carry (section 7; everywhere else they would mislead). */
export function texts(v: Values): readonly string[] {
  const tokenRefused =
    v.kind === 'unknown' ||
    ['expired', 'foreign', 'tampered'].includes(v.validity) ||
    (EXTERNAL.includes(v.kind) && v['auth-type'] !== 'OAUTH') ||
    !['absent', 'OAUTH'].includes(v['auth-type']) ||
    (v['auth-type'] === 'OAUTH' && (v.kind === 'USER' || v.kind === 'GLOBAL')) ||
    !['absent', 'bearer'].includes(v.authorization);
  return [
    ...(v.kind === 'GLOBAL' && ['absent', 'blank', 'doubled'].includes(v['act-as']) ? [MISSING] : []),
    ...(v['act-as'] === 'absent' ? [] : [IDENTITY]),
    ...(tokenRefused ? UNTYPED : []),
  ];
}
