import type { Values } from '../../harness/contract/contract.ts';

/** An admitted refusal: a status or class of statuses, and a list of texts. It must contain one of the texts. */
export interface Allowed {
  readonly status: string;
  readonly texts?: readonly string[];
  /** Whether it must contain no documented text. */
  readonly silent?: true;
}
/** What the second oracle says about a request. */
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
 * The expected outcome of a case, written from the text of the specification without consulting rules.yaml. It shares
 * no data and no code with the rules, so it repeats their literals on purpose (suites/ledger.test.ts makes an
 * exception).
 */
export function rule(v: Values): Ruling {
  const faults: Allowed[] = [];
  const open: Allowed[] = [];
  const isGlobal = v.kind === 'GLOBAL';
  const isExternal = EXTERNAL.includes(v.kind);
  const isServiceIssued = isGlobal || v.kind === 'USER';
  const type = v['auth-type'];
  const untyped = type === 'absent' || type === 'blank';

  // spec 5.1: every request has an Authorization header with the scheme Bearer and a token.
  if (v.authorization === 'absent')
    faults.push({ status: '401' }, { status: '4xx, a warning' }, { status: '3xx, a warning' });
  if (['empty', 'no-scheme', 'basic'].includes(v.authorization))
    faults.push({ status: '400' }, { status: '401' }, { status: '4xx, a warning' });
  if (['scheme-case', 'spaces', 'trailing', 'doubled'].includes(v.authorization)) open.push(ANY_REFUSAL);

  // spec 7, first row: invalid and expired tokens. Without its header such a token cannot be told from an external one.
  const invalid = v.kind === 'unknown' || v.validity === 'tampered';
  if (invalid || v.validity === 'expired') faults.push({ status: '401' });
  if ((invalid || v.validity === 'foreign') && untyped) faults.push({ status: '4xx', texts: UNTYPED });
  if (v.validity === 'expired' && untyped) faults.push({ status: '4xx, a warning', texts: UNTYPED });
  if (v.validity === 'foreign') faults.push({ status: '401' }, { status: '403' });

  // spec 7, rows three and four: the acting user of a GLOBAL token.
  const actAs = v['act-as'] ?? 'absent';
  if (isGlobal && (actAs === 'absent' || actAs === 'blank')) faults.push({ status: '400', texts: [MISSING] });
  if (isGlobal && ['blank', 'unknown', 'unknown-domain', 'malformed'].includes(actAs))
    faults.push({ status: '401', texts: [IDENTITY] });
  if (actAs === 'doubled') open.push(ANY_REFUSAL);
  if (v.kind !== 'none' && v.kind !== 'unknown' && !isGlobal && actAs !== 'absent') open.push(ANY_REFUSAL);

  // spec 7, last row, and spec 5.1: X-Service-Auth-Type.
  if (isExternal && untyped) faults.push({ status: '4xx', texts: UNTYPED });
  if (isExternal && type === 'other-value') faults.push({ status: '4xx' });
  if (type === 'other-case' || type === 'doubled') open.push(ANY_REFUSAL);
  if (!isExternal && (type === 'other-value' || type === 'blank')) open.push(ANY_REFUSAL);
  if (isServiceIssued && type === 'OAUTH') open.push(ANY_REFUSAL);

  // spec 7, row two: the scope of the operation, or the permission of an OAuth token.
  const needed = v.operation.toUpperCase();
  if (v.kind !== 'none' && v.kind !== 'unknown' && !holds(v.holding, needed)) faults.push({ status: '403' });

  // spec 2.3, 2.4 and 4: the body.
  if (v.body !== 'valid') faults.push({ status: '4xx', silent: true });

  return { success: faults.length === 0, refusals: [...faults, ...open] };
}

/** The sets that spec 5.4 suggests. */
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

/** The documented texts that a refusal of this request may contain (spec 7). */
export function texts(v: Values): readonly string[] {
  const tokenRefused =
    v.kind === 'unknown' ||
    ['expired', 'foreign', 'tampered'].includes(v.validity) ||
    (EXTERNAL.includes(v.kind) && v['auth-type'] !== 'OAUTH') ||
    !['absent', 'OAUTH'].includes(v['auth-type'] ?? '') ||
    (v['auth-type'] === 'OAUTH' && (v.kind === 'USER' || v.kind === 'GLOBAL')) ||
    v.authorization !== 'bearer';
  return [
    ...(v.kind === 'GLOBAL' && ['absent', 'blank', 'doubled'].includes(v['act-as'] ?? '') ? [MISSING] : []),
    ...(v['act-as'] === 'absent' ? [] : [IDENTITY]),
    ...(tokenRefused ? UNTYPED : []),
  ];
}
