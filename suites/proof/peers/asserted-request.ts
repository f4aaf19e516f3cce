import { groupedBy } from '../../../harness/contract/collections.ts';

/** A request, and the one status and message that its answer must have. */
export interface AssertedRequest {
  readonly id: string;
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
  /** What the field `message` of the body must be. Undefined for a success, which has none. */
  readonly message: string | undefined;
}

export const byOperation = (requests: readonly AssertedRequest[]) => [
  ...groupedBy(requests, ({ operation }) => operation),
];

/** Some of the requests, with a status that is wrong at the first and a message that is wrong at the last refusal. */
export function withWrongExpectations(requests: readonly AssertedRequest[]): readonly AssertedRequest[] {
  const last = requests.findLastIndex(({ message }) => message !== undefined);
  return requests.map((request, index) => {
    if (index === 0) return { ...request, status: 418 };
    return index === last ? { ...request, message: `${request.message}, not` } : request;
  });
}
