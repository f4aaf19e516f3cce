import type { Session } from '../harness/run.ts';

const EVERY_MS = 200;

/** One line that tells how far a run is; on a terminal only, so that logs stay clean. */
export function showProgress(session: Session, stream: NodeJS.WriteStream): { step(): void; end(): void } {
  if (!stream.isTTY) return { step: () => undefined, end: () => undefined };
  const started = performance.now();
  let groups = 0;
  let shown = 0;
  return {
    step() {
      groups += 1;
      const now = performance.now();
      if (now - shown < EVERY_MS) return;
      shown = now;
      const sent = session.sender.exchanges.length;
      const rate = Math.round((sent / (now - started)) * 1000);
      stream.write(`\r\x1b[2K${groups}/${session.groups.length} groups, ${sent} requests, ${rate}/s`);
    },
    end: () => stream.write('\r\x1b[2K'),
  };
}
