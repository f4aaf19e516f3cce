import fc from 'fast-check';
import type { Check, CheckApi, CheckResult } from '../harness/check.ts';
import type { PlannedCase } from '../harness/plan.ts';
import { tamperAt } from '../harness/tamper.ts';

const RUNS = 25;
const TOKEN_CHARACTERS = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-');

/** Laws that hold for any request, tried on random ones; a broken one is shrunk to the smallest request. */
export const properties: Check = {
  id: 'properties',
  title: 'Header-name case and unknown headers change nothing; a tampered token is never accepted',
  requirements: ['headers.case', 'token.tampered', 'search.success'],
  intrusive: true,
  async run(api) {
    const [operation] = api.contract.operations;
    if (!operation) return [];
    const results: CheckResult[] = [];
    for (const kind of api.claims.kinds) {
      const planned = api.planned(operation.id, kind, {});
      if (!planned?.credential) continue;
      results.push(await anyCase(api, planned), await irrelevantHeaders(api, planned), await anyPosition(api, planned));
    }
    return results;
  },
};

/** RFC 9110 5.1: field names are case-insensitive, however they are written. */
function anyCase(api: CheckApi, planned: PlannedCase): Promise<CheckResult> {
  const mask = fc.array(fc.boolean(), { minLength: 24, maxLength: 24 });
  return law(api, planned, 'headers.case', mask, async (upper) => {
    const renamed = (name: string) =>
      [...name]
        .map((letter, index) => (upper[index % upper.length] ? letter.toUpperCase() : letter.toLowerCase()))
        .join('');
    const { accepted } = await ask(api, planned, planned.credential?.token ?? '', [], renamed);
    return accepted ? undefined : `refused with the header name ${renamed('Authorization')}`;
  });
}

function irrelevantHeaders(api: CheckApi, planned: PlannedCase): Promise<CheckResult> {
  const header = fc.tuple(
    fc.string({ unit: TOKEN_CHARACTERS, minLength: 1, maxLength: 12 }),
    fc.string({ unit: TOKEN_CHARACTERS, maxLength: 20 }),
  );
  return law(
    api,
    planned,
    `${planned.values.operation}.success`,
    fc.array(header, { maxLength: 5 }),
    async (headers) => {
      const lines = headers.map(([name, value]): [string, string] => [`x-conformance-${name}`, value]);
      const { accepted } = await ask(api, planned, planned.credential?.token ?? '', lines);
      return accepted ? undefined : `refused with ${JSON.stringify(lines)}`;
    },
  );
}

function anyPosition(api: CheckApi, planned: PlannedCase): Promise<CheckResult> {
  const credential = planned.credential;
  const token = credential?.token ?? '';
  return law(api, planned, 'token.tampered', fc.nat({ max: token.length - 1 }), async (at) => {
    const tampered = tamperAt(token, at);
    if (!credential || /[^A-Za-z0-9_-]/.test(token[at] ?? '')) return undefined;
    api.derive(credential, tampered.token, tampered.recipe);
    const { accepted } = await ask(api, planned, tampered.token);
    return accepted ? `accepted with ${tampered.recipe}` : undefined;
  });
}

/** Tries a law on random values from the run's seed; `broken` says in words how a value breaks it. */
async function law<T>(
  api: CheckApi,
  planned: PlannedCase,
  requirement: string,
  values: fc.Arbitrary<T>,
  broken: (value: T) => Promise<string | undefined>,
): Promise<CheckResult> {
  const unit = { requirement, operation: planned.values.operation, kind: planned.values.kind };
  const control = await ask(api, planned, planned.credential?.token ?? '');
  if (!control.accepted)
    return { ...unit, verdict: 'inconclusive', detail: 'the plain request was not accepted before' };
  let how = '';
  const property = fc.asyncProperty(values, async (value) => {
    const found = await broken(value);
    if (found !== undefined) how = found;
    return found === undefined;
  });
  const { failed, seed, counterexamplePath } = await fc.check(property, {
    seed: api.seed,
    numRuns: RUNS,
    maxSkipsPerRun: 0,
  });
  if (!failed) return { ...unit, verdict: 'pass', detail: `${RUNS} random requests with seed ${seed}` };
  return {
    ...unit,
    verdict: 'fail',
    detail: `${how} (seed ${seed}, path ${counterexamplePath})`,
    curl: api.curl(planned),
  };
}

function ask(
  api: CheckApi,
  planned: PlannedCase,
  token: string,
  more: readonly (readonly [string, string])[] = [],
  renamed: (name: string) => string = (name) => name,
) {
  const { contract, people } = api;
  const operation = contract.operations.find(({ id }) => id === planned.values.operation);
  if (!operation || !planned.credential) throw new Error(`${planned.id} has no operation or credential`);
  const { headers } = contract.matrix;
  const lines = (['act-as', 'auth-type'] as const).flatMap((dimension) =>
    (headers[dimension].lines[planned.values[dimension]] ?? []).map((line): [string, string] => [
      renamed(headers[dimension].name),
      line.replace('{existing}', people.existing ?? ''),
    ]),
  );
  return api.call({
    operation,
    credential: planned.credential,
    authorization: null,
    headers: [[renamed(headers.authorization.name), `Bearer ${token}`], ...lines, ...more],
  });
}
