import { type ChildProcess, fork } from 'node:child_process';
import { resolve } from 'node:path';
import type { Job } from './warm-commands.ts';

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Runs commands one after another in one process, which loads and compiles the modules once: a command takes half the
 * time of one in a process of its own. The process ends when the one that started it ends.
 */
interface WarmProcess {
  /** Undefined while another command runs. */
  run(job: Job): Promise<Ended> | undefined;
}

const ENDED = /\0ended (\d+)\0$/;

export function warmProcess(): WarmProcess {
  let idle: ChildProcess | undefined;
  let isBusy = false;

  const start = (): ChildProcess =>
    fork(resolve('dist/cli/testing/warm-commands.js'), {
      env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [],
    });
  return {
    run(job) {
      if (isBusy) return undefined;
      isBusy = true;
      const child = idle ?? start();
      idle = child;
      const streams = [child.stdout, child.stderr];
      return new Promise((done) => {
        let output = '';
        const end = (ended: Ended) => {
          isBusy = false;
          child.removeAllListeners('close');
          for (const stream of streams) stream?.removeAllListeners('data');
          done(ended);
        };
        for (const stream of streams)
          stream?.on('data', (chunk) => {
            output += chunk;
            const code = ENDED.exec(output)?.[1];
            if (code !== undefined) end({ code: Number(code), output: output.replace(ENDED, '') });
          });
        // A command that calls process.exit ends the process. The next one gets a new process.
        child.once('close', (code) => {
          idle = undefined;
          end({ code, output });
        });
        child.send(job);
      });
    },
  };
}
