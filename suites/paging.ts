import type { Check } from '../harness/check.ts';

/** The one optional field of search that the specification types. */
export const paging: Check = {
  id: 'paging',
  title: 'A search with an integer pageSize succeeds',
  requirements: ['search.page-size'],
  intrusive: false,
  async run(api) {
    const operation = api.contract.operations.find(({ id }) => id === 'search');
    const [kind] = api.claims.kinds;
    const planned = operation && kind !== undefined ? api.planned(operation.id, kind, {}) : undefined;
    if (!operation || kind === undefined || !planned) return [];
    const { matrix } = api.contract;
    const headers = (['act-as', 'auth-type'] as const).flatMap((dimension) =>
      (matrix.headers[dimension].lines[planned.values[dimension]] ?? []).map((line): [string, string] => [
        matrix.headers[dimension].name,
        line.replace('{existing}', api.people.existing ?? ''),
      ]),
    );
    const { observation } = await api.call({
      operation,
      credential: planned.credential,
      headers,
      body: { ...operation.example, pageSize: 5 },
    });
    const unit = { requirement: 'search.page-size', operation: operation.id, kind };
    if (observation.kind === 'failure') return [{ ...unit, verdict: 'inconclusive', detail: observation.detail }];
    return [
      observation.status === operation.success.status
        ? { ...unit, verdict: 'pass', detail: `pageSize 5: ${observation.status}` }
        : {
            ...unit,
            verdict: 'fail',
            detail: `wanted ${operation.success.status} with pageSize 5, got ${observation.status}`,
          },
    ];
  },
};
