/** What a variation changes about a request. */
export type VariationKind =
  | 'header'
  | 'cookie'
  | 'parameter'
  | 'field'
  | 'content-type'
  | 'transport'
  | 'method'
  | 'path'
  | 'query';

/** One way to ask otherwise: something about a request that the contract does not list, or lists as optional. */
export interface Variation {
  readonly kind: VariationKind;
  /** What is changed: the name of a header, cookie, parameter or field, a content type, a method; else what it is called. */
  readonly name: string;
  /**
   * The value of a header, cookie, parameter or field; a path; a text to search for. For a content type, how the body is
   * written; for a method, where the fields go: `body`, or `query` for a request without a body.
   */
  readonly value: unknown;
  /** In words. It shows no secret. */
  readonly how: string;
  /** Known from real incidents, so that every target gets it. Others need the whole breadth. */
  readonly isTelling: boolean;
  /** Some servers answer as if another method or path was asked. */
  readonly leadsElsewhere: boolean;
}

/** Whether a variation is sent with others. What replaces a part that each request has is sent alone. */
export function isBundled({ kind, name }: Pick<Variation, 'kind' | 'name'>): boolean {
  switch (kind) {
    case 'header':
    case 'cookie':
    case 'parameter':
    case 'field':
      return true;
    case 'transport':
      return name === 'chunked' || name === 'HTTP/1.0';
    case 'content-type':
    case 'method':
    case 'path':
    case 'query':
      return false;
  }
}

/** What servers accept in the header lines, in the address and in the body of a request, in characters; and how many lines. */
const MOST = { header: 7_000, lines: 64, parameter: 3_000, field: 30_000 };

/** Puts variations together that can be sent in one request: none twice under one name, and no more than servers accept. */
export function bundlesOf<T extends Variation>(variations: readonly T[]): readonly (readonly T[])[] {
  const bundles: T[][] = [];
  const same = new Map(variations.map((one) => [JSON.stringify([one.kind, one.name, one.value]), one]));
  const distinct = [...same.values()];
  for (const one of distinct.filter(isBundled)) {
    const bundle = bundles.find((others) => fits(one, others));
    if (bundle) bundle.push(one);
    else bundles.push([one]);
  }
  return [...bundles, ...distinct.filter((one) => !isBundled(one)).map((one) => [one])];
}

function fits(one: Variation, others: readonly Variation[]): boolean {
  if (others.some((other) => slotOf(other) === slotOf(one))) return false;
  const alike = others.filter((other) => partOf(other) === partOf(one));
  if (partOf(one) === 'header' && alike.length >= MOST.lines) return false;
  return (
    [one, ...alike].reduce((sum, { name, value }) => sum + name.length + lengthOf(value) + 4, 0) <= MOST[partOf(one)]
  );
}

/** Two with the same slot exclude each other. Header names are the same in any case (RFC 9110 5.1). */
function slotOf({ kind, name }: Variation): string {
  if (kind === 'transport') return kind;
  return kind === 'header' ? `${kind} ${name.toLowerCase()}` : `${kind} ${name}`;
}

function partOf({ kind }: Variation): 'header' | 'parameter' | 'field' {
  return kind === 'parameter' || kind === 'field' ? kind : 'header';
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : `${JSON.stringify(value)}`.length;
