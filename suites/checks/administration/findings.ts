import { type CheckAnswer, type CheckResult, showsMarker } from '../../../harness/checks/check.ts';
import { type CheckOutcome, outcomeOf, readIn } from '../../../harness/checks/outcome.ts';
import { type Actor, SELF, type TokenTerms } from '../../../harness/commands/administration.ts';
import { confirmed } from '../parts/ask-again.ts';
import { type Decided, fail, pass, unclear } from '../parts/decision.ts';
import type { Made, Making, TokenMaker } from './token-maker.ts';

/** A rule of spec 2.1: the requirements it decides, and how. */
export interface CheckPart {
  readonly requirements: readonly string[];
  decide(maker: TokenMaker): Promise<readonly CheckResult[]>;
}

/** As a decision on a requirement. No operation is meant: it is the token that counts. */
export function say(requirement: string, decided: Decided, kind = 'any'): CheckResult {
  return { requirement, operation: 'any', kind, ...decided };
}

/** What is said of something that was wanted and did not come about for reasons that are not the target's decision. */
export function prevented(answer: Extract<Making, { kind: 'unsupported' | 'failed' }>): Decided {
  switch (answer.kind) {
    case 'unsupported':
      return { verdict: 'not-testable', detail: `ADMINISTRATION_COMMAND: ${answer.why}` };
    case 'failed':
      return { verdict: 'not-testable', detail: answer.why };
  }
}

/** A token that must be made, and work. */
export async function mustMake(
  maker: TokenMaker,
  actor: Actor,
  what: string,
  changes: TokenTerms = {},
): Promise<Decided> {
  const making = await maker.make(actor, changes);
  switch (making.kind) {
    case 'made':
      return works(maker, making, what);
    case 'refused':
      return fail(`${what} was refused: ${making.why}`);
    case 'unsupported':
    case 'failed':
      return prevented(making);
  }
}

async function works(maker: TokenMaker, made: Made, what: string): Promise<Decided> {
  const actAs = made.terms.permission === 'GLOBAL' ? maker.api.variable('ACT_AS_EMAIL') : undefined;
  const outcome = await tried(maker, made, actAs === undefined ? {} : { actAs });
  switch (outcome.kind) {
    case 'accepted':
      return pass(`${what}: made, and accepted`);
    case 'refused':
      return fail(`${what} was made, and then answered ${outcome.status}`);
    case 'lost':
      return unclear(outcome.why);
  }
}

/** What a token is good for that must work: a refusal counts when it comes again (OUTCOMES 3). */
export async function tried(maker: TokenMaker, made: Made, options: Use = {}): Promise<CheckOutcome> {
  const { kind, got } = await confirmed(
    async () => outcomeOf(await maker.use(made, options)),
    (outcome) => (outcome.kind === 'accepted' ? 'right' : outcome.kind === 'refused' ? 'wrong' : 'lost'),
  );
  return kind === 'fleeting' ? { kind: 'lost', why: 'a refusal of the token came once and not again' } : got;
}
type Use = Parameters<TokenMaker['use']>[1];

/** What is asked for and nobody should get. */
interface Forbidden {
  /** In what it differs from the ordinary token. */
  readonly changes: TokenTerms;
  /** What it is where it was made and yet is not what was asked for; lost where nobody can tell. */
  readonly harm?: (made: Made) => Promise<Harm>;
}

/** A token that must not be made. That it is refused says something only beside one like it that is made. */
export async function mustNotMake(
  maker: TokenMaker,
  actor: Actor,
  what: string,
  { changes, harm = async () => ({ kind: 'harmful' }) }: Forbidden,
): Promise<Decided> {
  const making = await maker.make(actor, changes);
  switch (making.kind) {
    case 'made':
      return made(await harm(making), what);
    case 'refused':
      return pass(`${what}: refused`);
    case 'unsupported':
      return { verdict: 'observed', detail: `${what} cannot be asked for: ${making.why}` };
    case 'failed':
      return prevented(making);
  }
}

/** Whether a token that must not be made is what it must not be. */
export type Harm =
  | { readonly kind: 'harmful' }
  | { readonly kind: 'harmless' }
  | { readonly kind: 'lost'; readonly why: string };

function made(harm: Harm, what: string): Decided {
  switch (harm.kind) {
    case 'harmful':
      return fail(`${what} was made`);
    case 'harmless':
      return pass(`${what}: not as it was asked for`);
    case 'lost':
      return unclear(harm.why);
  }
}

/** Whether a token runs as this person, by what the target says of it or by what it sees; if nobody can say, it does. */
export async function runsAs(maker: TokenMaker, made: Made, owner: 'USER' | 'ACT_AS'): Promise<Harm> {
  const email = maker.api.variable(`${owner}_EMAIL`);
  const said = made.token.userEmail;
  const harmIf = (isOwner: boolean): Harm => ({ kind: isOwner ? 'harmful' : 'harmless' });
  if (said !== undefined && said !== SELF) return harmIf(said.toLowerCase() === email?.toLowerCase());
  const query = maker.api.variable(`${owner}_PRIVATE_QUERY`);
  if (query === undefined) return { kind: 'harmful' };
  const answer = await maker.use(made, { query });
  const outcome = readIn(answer, maker.operation);
  return outcome.kind === 'lost' ? outcome : harmIf(showsMarker(answer, owner));
}

export function statusOf({ observation }: CheckAnswer): string {
  return observation.kind === 'answer' ? `answered ${observation.status}` : observation.detail;
}
