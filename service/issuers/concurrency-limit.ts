/**
 * Limits the number of pending calls. A call above the limit fails at once. It does not wait in a queue, because the queue
 * could grow without a limit.
 *
 * @param tooMany makes the error for a call above the limit
 */
export function limitConcurrency(limit: number, tooMany: () => Error): <T>(call: () => Promise<T>) => Promise<T> {
  let pending = 0;
  return async (call) => {
    if (pending >= limit) throw tooMany();
    pending += 1;
    try {
      return await call();
    } finally {
      pending -= 1;
    }
  };
}
