import { type Actor, SELF, type TokenTerms } from '../harness/administration.ts';
import { type CheckAnswer, type CheckResult, showsMarker } from '../harness/check.ts';
import type { Made, Making, Office } from './administration-office.ts';

/** What a rule finds out of a requirement. */
export type Finding = Pick<CheckResult, 'verdict' | 'detail'>;
/** A rule of spec 2.1: the requirements it decides, and how. */
export interface Rule {
  readonly requirements: readonly string[];
  /** Of our own decisions (reference): they oblige the reference service alone. */
  readonly ownDecision?: true;
  decide(office: Office): Promise<readonly CheckResult[]>;
}

/** A finding as a decision. No operation is meant: it is the token that counts. */
export function say(requirement: string, finding: Finding, kind = 'any'): CheckResult {
  return { requirement, operation: 'any', kind, ...finding };
}

export const pass = (detail: string): Finding => ({ verdict: 'pass', detail });
export const fail = (detail: string): Finding => ({ verdict: 'fail', detail });
export const unclear = (detail: string): Finding => ({ verdict: 'inconclusive', detail });

/** What is said of something that was wanted and did not come about for reasons that are not the target's decision. */
export function prevented(answer: Extract<Making, { kind: 'unsupported' | 'failed' }>): Finding {
  switch (answer.kind) {
    case 'unsupported':
      return { verdict: 'not-testable', detail: `ADMINISTRATION_COMMAND: ${answer.why}` };
    case 'failed':
      return { verdict: 'not-testable', detail: answer.why };
  }
}

/** A token that must be made, and work. */
export async function mustMake(office: Office, actor: Actor, what: string, changes: TokenTerms = {}): Promise<Finding> {
  const making = await office.make(actor, changes);
  switch (making.kind) {
    case 'made':
      return works(office, making, what);
    case 'refused':
      return fail(`${what} was refused: ${making.why}`);
    case 'unsupported':
    case 'failed':
      return prevented(making);
  }
}

async function works(office: Office, made: Made, what: string): Promise<Finding> {
  const actAs = made.terms.permission === 'GLOBAL' ? office.api.variable('ACT_AS_EMAIL') : undefined;
  const answer = await office.use(made, actAs === undefined ? {} : { actAs });
  if (answer.accepted) return pass(`${what}: made, and accepted`);
  const { observation } = answer;
  return observation.kind === 'failure'
    ? unclear(observation.detail)
    : fail(`${what} was made, and then ${statusOf(answer)}`);
}

/** A token that must not be made. That it is refused says something only beside one like it that is made. */
export async function mustNotMake(
  office: Office,
  actor: Actor,
  what: string,
  changes: TokenTerms,
  harmless: (made: Made) => Promise<boolean> = async () => false,
): Promise<Finding> {
  const making = await office.make(actor, changes);
  switch (making.kind) {
    case 'made':
      return (await harmless(making)) ? pass(`${what}: not as it was asked for`) : fail(`${what} was made`);
    case 'refused':
      return pass(`${what}: refused`);
    case 'unsupported':
      return { verdict: 'observed', detail: `${what} cannot be asked for: ${making.why}` };
    case 'failed':
      return prevented(making);
  }
}

/** Whether a token runs as this person, by what the target says of it or by what it sees; undefined when nobody can say. */
export async function runsAs(office: Office, made: Made, owner: 'USER' | 'ACT_AS'): Promise<boolean | undefined> {
  const email = office.api.variable(`${owner}_EMAIL`);
  const said = made.token.userEmail;
  if (said !== undefined && said !== SELF) return said.toLowerCase() === email?.toLowerCase();
  const query = office.api.variable(`${owner}_PRIVATE_QUERY`);
  return query === undefined ? undefined : showsMarker(await office.use(made, { query }), owner);
}

export function statusOf({ observation }: CheckAnswer): string {
  return observation.kind === 'answer' ? `answered ${observation.status}` : observation.detail;
}
