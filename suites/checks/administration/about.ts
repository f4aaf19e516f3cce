import { type Decided, unclear } from '../parts/decision.ts';
import { prevented, type Rule, say } from './findings.ts';
import type { Made, Office } from './office.ts';

/** What is decided about a token of its own. */
export function about(requirement: string, decide: (office: Office, made: Made) => Promise<readonly Decided[]>): Rule {
  return {
    requirements: [requirement],
    async decide(office) {
      const making = await office.make('super-admin');
      if (making.kind === 'refused') return [say(requirement, unclear(`no token could be made: ${making.why}`))];
      const found = making.kind === 'made' ? await decide(office, making) : [prevented(making)];
      return found.map((one) => say(requirement, one));
    },
  };
}
