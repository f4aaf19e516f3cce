import type { TokenTerms } from '../../../harness/commands/administration.ts';
import { type Decided, inconclusive } from '../shared/decision.ts';
import { type CheckPart, notTestableBecause, resultFor } from './assertions.ts';
import type { MadeToken, TokenMaker } from './token-maker.ts';

/** A part of the check that makes a token of its own and decides one requirement with it. */
export function partWithToken(
  requirement: string,
  decide: (maker: TokenMaker, made: MadeToken) => Promise<readonly Decided[]>,
  changes: TokenTerms = {},
): CheckPart {
  return {
    requirements: [requirement],
    async decide(maker) {
      const made = await maker.make('super-admin', changes);
      switch (made.kind) {
        case 'made':
          return (await decide(maker, made)).map((decided) => resultFor(maker, requirement, decided));
        case 'refused':
          return [resultFor(maker, requirement, inconclusive(`no token could be made: ${made.why}`))];
        case 'unsupported':
        case 'failed':
          return [resultFor(maker, requirement, notTestableBecause(made))];
      }
    },
  };
}
