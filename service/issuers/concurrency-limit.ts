/**
 * Lets no more than so many calls be under way at once; one beyond is refused at once rather than kept waiting, since what
 * waits is held as well.
 *
 * @throws what `refusal` gives, for a call beyond
 */
export function limitConcurrency(most: number, refusal: () => Error): <T>(call: () => Promise<T>) => Promise<T> {
  let underWay = 0;
  return async (call) => {
    if (underWay >= most) throw refusal();
    underWay += 1;
    try {
      return await call();
    } finally {
      underWay -= 1;
    }
  };
}
