import type { CheckApi } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { VariationKind } from '../../../harness/contract/variations.ts';
import { isLoopback } from '../../../harness/settings/parse-values.ts';
import { pathTexts, personTexts, type Texts } from '../../variations/fill.ts';
import { type Variation, variationsOf } from '../../variations/variation.ts';
import { naming } from './token-recipes.ts';

/**
 * The variations of these kinds of a request to an operation. Without the whole breadth, the telling ones. A slow operation gets
 * these too, except for its paths: what reads the headers and fields of one operation reads those of the others.
 * @param more what other placeholders stand for.
 */
export function variationsFor(
  api: CheckApi,
  operation: Operation,
  kinds: readonly VariationKind[],
  more: Texts = {},
): readonly Variation[] {
  const texts = { ...textsFor(api, operation), ...more };
  const hasAll = api.breadth === 'whole' && (!operation.isSlow || kinds.includes('path'));
  const rows = api.contract.variations.rows.filter(({ kind }) => kinds.includes(kind));
  const byRow = rows.map((row) => {
    // A query string ends up in logs, so a token is sent there only if it was made for this run or stays on this machine.
    const isLogged = row.kind === 'parameter' || row.in === 'parameter';
    const known = isLogged && !isPrivate(api) ? { ...texts, token: undefined } : texts;
    return variationsOf(row, known).filter(({ isTelling }) => isTelling || hasAll);
  });
  // The first value of each row means most, so that they are bundled with each other.
  const longest = Math.max(0, ...byRow.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => byRow.flatMap((values) => values[at] ?? [])).flat();
}

/** What the placeholders of rows stand for in requests to an operation. */
export function textsFor(api: CheckApi, { path, scopes }: Operation): Texts {
  const { host, origin } = new URL(api.variable('TARGET_BASE_URL') ?? 'http://localhost');
  const { actAs, user } = api.people;
  const { headers } = api.contract.matrix;
  const person = actAs ?? user ?? 'admin';
  return {
    ...personTexts(person),
    ...pathTexts(path),
    ...{
      other: user ?? api.people.nobody,
      host,
      origin,
      scope: scopes.join(' '),
      loopback: '127.0.0.1',
      private: '10.0.0.1',
    },
    // It is filled when the request is written.
    token: '{token}',
    'unknown-token': api.unknownToken,
    jwt: naming(person, origin, { alg: 'none' }, 'none'),
    ...Object.fromEntries(Object.entries(headers).map(([dimension, { name }]) => [`${dimension}-name`, name])),
  };
}

const isPrivate = (api: CheckApi): boolean =>
  api.trusted || isLoopback(new URL(api.variable('TARGET_BASE_URL') ?? 'http://unknown.invalid').hostname);
