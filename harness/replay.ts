import { configurationError } from './configuration-error.ts';
import type { Contract } from './contract.ts';
import { createCredentials, type Recipes } from './credentials.ts';
import type { Decision, EndRecord, Exchange, JournalEntry, RunRecord, UnsentRecord } from './journal.ts';
import { DEPTHS } from './matrix.ts';
import { isNarrowed, narrow, WHOLE } from './narrow.ts';
import { makePlan, type Plan } from './plan.ts';
import { peopleOf } from './request.ts';
import { type Conclusion, conclude } from './run.ts';
import { ORIGINS, type Variable } from './settings.ts';
import type { Minted } from './token-command.ts';

/** A journal judged again, without the target and without any secret. */
export interface Replay {
  readonly record: RunRecord;
  readonly plan: Plan;
  readonly conclusion: Conclusion;
  /** The run wrote its end; without it the run was killed, and what it did not send is inconclusive. */
  readonly ended: boolean;
}

/** Plans the run of a journal again from the names of its variables, and judges what the journal holds. */
export function replay(contract: Contract, entries: readonly JournalEntry[]): Replay {
  const record = entries.find((entry): entry is RunRecord => entry.type === 'run');
  if (!record) throw configurationError('the journal does not begin with a run; is it a journal.ndjson of this suite?');
  if (record.contract !== contract.digest)
    throw configurationError(
      `the journal was recorded under contract ${record.contract} and this suite holds ${contract.digest}; judge it with suite ${record.version}`,
    );
  const variables = new Map(
    Object.entries(record.variables).map(([name, origin]): [string, Variable] => [
      name,
      { value: standIn(name), origin: ORIGINS.find((known) => known === origin) ?? 'environment' },
    ]),
  );
  const depth = DEPTHS.find((known) => known === record.depth) ?? 'core';
  const exchanges = entries.filter((entry): entry is Exchange => entry.type === 'exchange');
  const credentials = createCredentials(contract, variables, mintedOf(record), recipesOf(exchanges));
  const whole = makePlan({
    contract,
    depth,
    claims: record.claims,
    credentials,
    people: peopleOf(variables, record.run),
  });
  const narrowing = record.narrowing ?? WHOLE;
  const { plan } = narrow(contract, whole, checksOf(record), narrowing);
  const narrowed = isNarrowed(narrowing);
  const decisions = entries.filter((entry): entry is Decision => entry.type === 'decision');
  const end = entries.find((entry): entry is EndRecord => entry.type === 'end');
  const stopped = end ? (end.stopped ?? (end.interrupted ? 'interrupted' : undefined)) : 'the run was killed';
  const { trusted } = record;
  const left = entries.filter((entry): entry is UnsentRecord => entry.type === 'unsent');
  const unsent = new Map(left.map((entry) => [entry.case, entry.reason]));
  const conclusion = conclude({ contract, plan, exchanges, unsent, decisions, trusted, narrowed, stopped });
  return { record, plan, conclusion, ended: end !== undefined };
}

/** The checks that the run takes, as far as its journal knows them. */
export function checksOf({ checks = {} }: RunRecord): readonly { id: string; requirements: readonly string[] }[] {
  return Object.entries(checks).map(([id, requirements]) => ({ id, requirements }));
}

/** How tokens were tampered with: the stand-ins have another length, so their recipes would name other characters. */
function recipesOf(exchanges: readonly Exchange[]): Recipes {
  const recipes = new Map<string, string>();
  for (const { role, credential } of exchanges) {
    const [, from, how] = role === 'check' ? [] : (/^(.+?), (character \d+ of \d+ changed)$/.exec(credential) ?? []);
    if (from !== undefined && how !== undefined) recipes.set(from, how);
  }
  return recipes;
}

/** What TOKEN_COMMAND answered, with something in the place of its tokens. */
function mintedOf({ minted = {} }: RunRecord): Minted {
  return new Map(
    Object.entries(minted).map(([key, outcome]) => [key, outcome === 'token' ? { token: standIn(key) } : outcome]),
  );
}

/** Something in the place of a value that no journal holds; only its presence counts. */
function standIn(name: string): string {
  return name.endsWith('_EMAIL') ? 'somebody@example.com' : `value-of-${name}`;
}
