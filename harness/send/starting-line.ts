/** A request that waits at the line. */
export interface Start {
  /** Waits until all have come, or have left. */
  ready(): Promise<void>;
  /** The request is over, or is not sent: nobody waits for it. */
  leave(): void;
}

/**
 * Lets requests begin together. A rate spreads requests over time, so that those of a fast target never overlap: each
 * waits until all of them have their turn.
 */
export function startingLine(count: number): () => Start {
  let missing = count;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    let came = false;
    const come = () => {
      if (!came) missing -= 1;
      came = true;
      if (missing <= 0) open();
    };
    return {
      ready() {
        come();
        return opened;
      },
      leave: come,
    };
  };
}
