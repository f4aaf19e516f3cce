import { mapped } from './collections.ts';
import { knownValues } from './consistency.ts';
import { ACT_AS, type Aspect, type HeaderLines, type Kind, type Matrix, type Rules, type When } from './contract.ts';
import type { Operation } from './openapi.ts';
import { lineOf, listed, scopesIn, type WrittenContract } from './written-contract.ts';

/** What specs/derived/defaults.yaml says of dimensions. */
export interface DefaultMatrix {
  readonly dimensions: Matrix['dimensions'];
  readonly lines: Readonly<
    Record<'scheme' | 'text' | 'cookie' | 'header' | 'query' | typeof ACT_AS, HeaderLines['lines']>
  >;
  readonly exclusions: Matrix['exclusions'];
  /** What core sends: rules whose requests are refused, and requests that are accepted. */
  readonly faults: readonly string[];
  readonly accepted: readonly When[];
}

const VALIDITIES = ['valid', 'future-expiry', 'expired', 'tampered'];
const HOLDINGS = ['all', 'none', 'single', 'all-but'];
/** Values that only emails have. */
const OF_EMAILS = ['unknown-domain', 'malformed'];

/** The matrix of a contract that stands alone, but for its depths and exclusions. */
export function matrixOf(defaults: DefaultMatrix, written: WrittenContract): Omit<Matrix, 'depths'> {
  const { acting, people = 'EMAIL', alternatives } = written;
  const headers: Matrix['headers'] = {
    authorization: { ...carrierOf(defaults, written.credential), ...(alternatives && { alternatives }) },
    ...(acting && {
      [ACT_AS]: {
        name: acting.header,
        lines: entriesOf(defaults.lines[ACT_AS], (value) => people === 'EMAIL' || !OF_EMAILS.includes(value)),
      },
    }),
  };
  const kinds = mapped(written.kinds, (_one, kind) => kindOf(written, kind));
  const validities = Object.values(kinds).flatMap((kind) => kind.validities ?? []);
  const scopes = scopesIn(written);
  const wire = mapped(written.scopes ?? {}, (one) => one.wire);
  return {
    headers,
    dimensions: {
      ...defaults.dimensions,
      validity: entriesOf(defaults.dimensions.validity, (value) => validities.includes(value)),
      ...mapped(headers, ({ lines }, name) => entriesOf(defaults.dimensions[name] ?? {}, (value) => value in lines)),
    },
    kinds: {
      none: { family: 'none', authorization: ['absent', 'empty'], neutral: { authorization: 'absent' } },
      unknown: { family: 'unknown', neutral: {} },
      ...kinds,
    },
    scopes,
    ...(Object.keys(wire).length > 0 && { wire }),
    sets: {},
    exclusions: [],
  };
}

/** The line that carries the token, and other ways to write it. */
function carrierOf({ lines }: DefaultMatrix, credential: WrittenContract['credential']): HeaderLines {
  if (typeof credential !== 'string') return { name: credential.query, in: 'query', lines: lines.query };
  const { name, before, after } = lineOf(credential);
  if (before === '' && after === '') return { name, lines: lines.header };
  const [, scheme] = (after === '' && /^(\S+) $/.exec(before)) || [];
  if (scheme === undefined) {
    const own = lines[name.toLowerCase() === 'cookie' ? 'cookie' : 'text'];
    const written = (line: string) => line.replaceAll('{before}', () => before).replaceAll('{after}', () => after);
    return { name, lines: mapped(own, (one) => one.map(written)) };
  }
  const otherCase = scheme === scheme.toLowerCase() ? scheme.toUpperCase() : scheme.toLowerCase();
  const filled = (line: string) => line.replace('{scheme}', scheme).replace('{other-case}', otherCase);
  const others = Object.entries(lines.scheme).filter(([form]) => form !== 'basic' || scheme !== 'Basic');
  return { name, lines: Object.fromEntries(others.map(([form, own]) => [form, own.map(filled)])) };
}

function kindOf(written: WrittenContract, kind: string): Kind {
  const { made = '', validities = VALIDITIES, holdings = HOLDINGS, never = {} } = written.kinds[kind] ?? {};
  const { acting } = written;
  const isActing = listed(acting?.by).includes(kind);
  // With one scope, a token has it or has none.
  const possible = [['all'], ['all', 'none']][scopesIn(written).length] ?? HOLDINGS;
  return {
    family: 'service',
    made,
    validities: validities.filter((one) => !(one in never)),
    holdings: holdings.filter((one) => possible.includes(one) && !(one in never)),
    neutral: acting ? { [ACT_AS]: isActing && acting.is === 'required' ? 'existing' : 'absent' } : {},
    ...(isActing && acting?.is === 'optional' && { acts: 'optional' }),
    ...(Object.keys(never).length > 0 && { never }),
  };
}

/** Fills a condition of the defaults. Undefined if the contract has none of the values that it names. */
export type Fill = (when: When, more?: Readonly<Record<string, readonly string[]>>) => When | undefined;

export function fillerFor(
  { acting, kinds }: WrittenContract,
  operations: readonly Operation[],
  matrix: Omit<Matrix, 'depths'>,
): Fill {
  const by = listed(acting?.by);
  const lists: Readonly<Record<string, readonly string[]>> = {
    may: by,
    must: acting?.is === 'required' ? by : [],
    optional: acting?.is === 'optional' ? by : [],
    other: Object.keys(kinds).filter((kind) => !by.includes(kind)),
    lost: listed(acting?.loses),
  };
  const holdings = new Set(Object.values(matrix.kinds).flatMap((kind) => kind.holdings ?? []));
  const hasMissing = matrix.scopes.length > 0 && holdings.size > 1;
  const known: Readonly<Record<Aspect, readonly string[]>> = {
    ...knownValues(operations, matrix),
    'holding-form': [...holdings],
    scope: hasMissing ? ['held', 'missing'] : ['held'],
  };
  return (when, more = {}) => {
    const filled = Object.entries(when).map(([aspect, wanted]) => {
      const values = [wanted].flat().flatMap((value) => {
        const [, list] = /^\{(.+)\}$/.exec(value) ?? [];
        return list === undefined ? value : (more[list] ?? lists[list] ?? []);
      });
      return [aspect, values.filter((value) => known[aspect]?.includes(value))] as const;
    });
    return filled.some(([, values]) => values.length === 0) ? undefined : Object.fromEntries(filled);
  };
}

function entriesOf<T>(values: Readonly<Record<string, T>>, keeps: (name: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => keeps(name)));
}

/** What of a matrix follows from the rules: which combinations do not exist, and what each depth sends. */
export function restOfMatrix(
  { exclusions, faults, accepted }: DefaultMatrix,
  fill: Fill,
  { core, ...others }: Matrix['depths'],
  { refusals }: Pick<Rules, 'refusals'>,
): Pick<Matrix, 'exclusions' | 'depths'> {
  const filled = (when: When): readonly When[] => {
    const found = fill(when);
    return found ? [found] : [];
  };
  return {
    exclusions: exclusions.flatMap(({ when, reason }) => filled(when).map((one) => ({ when: one, reason }))),
    depths: {
      ...others,
      core: {
        description: core.description,
        faults: faults.filter((id) => refusals.some((rule) => rule.id === id && rule.outcome)),
        acceptances: accepted.flatMap(filled),
      },
    },
  };
}
