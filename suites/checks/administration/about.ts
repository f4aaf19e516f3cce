import { type Decided, unclear } from '../parts/decision.ts';
import { type CheckPart, prevented, say } from './findings.ts';
import type { Made, TokenMaker } from './token-maker.ts';

/** What is decided about a token of its own. */
export function about(
  requirement: string,
  decide: (maker: TokenMaker, made: Made) => Promise<readonly Decided[]>,
): CheckPart {
  return {
    requirements: [requirement],
    async decide(maker) {
      const making = await maker.make('super-admin');
      if (making.kind === 'refused') return [say(requirement, unclear(`no token could be made: ${making.why}`))];
      const found = making.kind === 'made' ? await decide(maker, making) : [prevented(making)];
      return found.map((one) => say(requirement, one));
    },
  };
}
