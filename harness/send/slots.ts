interface Slots {
  acquire(sender: string): Promise<void>;
  release(sender: string): void;
}

/**
 * Lets `count` callers in at once. Of the others, one goes first whose sender has the fewest in, in the order in which they came:
 * who sends one request after the other would else wait each time behind all those that others send side by side.
 */
export function createSlots(count: number): Slots {
  const waiting: { readonly sender: string; readonly enter: () => void }[] = [];
  const inside = new Map<string, number>();
  const insideOf = ({ sender }: { readonly sender: string }) => inside.get(sender) ?? 0;
  const add = (sender: string, change: 1 | -1) => inside.set(sender, insideOf({ sender }) + change);
  let taken = 0;
  return {
    async acquire(sender) {
      if (taken >= count) return new Promise<void>((enter) => waiting.push({ sender, enter }));
      taken += 1;
      add(sender, 1);
    },
    // The slot goes straight to the next in line, so that no new caller overtakes it.
    release(sender) {
      add(sender, -1);
      const [first, ...others] = waiting;
      if (!first) {
        taken -= 1;
        return;
      }
      const next = others.reduce((best, one) => (insideOf(one) < insideOf(best) ? one : best), first);
      waiting.splice(waiting.indexOf(next), 1);
      add(next.sender, 1);
      next.enter();
    },
  };
}
