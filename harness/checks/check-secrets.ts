import type { Administer } from '../commands/administration.ts';
import { shownReason } from '../commands/run-command.ts';
import type { Redactor } from '../record/redact.ts';
import { ownParts } from '../record/secret-forms.ts';
import type { Call, CheckApi, RawCall } from './check.ts';
import type { CheckWorld } from './check-world.ts';
import { RUN_STOPPED } from './deliver.ts';

/** Characters. Anybody can guess a shorter value, such as a language or a count, and to mask it would mask other text. */
const SHORTEST_GIVEN = 8;

/** How a check uses a token that no variable has: one that it derives, that was made for it, or that an answer gave. */
export function secretsFor(redactor: Redactor): Pick<CheckApi, 'derive' | 'made' | 'given'> {
  const made: CheckApi['made'] = (token, what) => ({
    source: 'made',
    variable: MADE,
    recipe: what,
    shell: `<${what}>`,
    token,
  });
  return {
    derive(from, token, how, shell) {
      const recipe = `${from.recipe}, ${how}`;
      // The redactor knows the rest, and each secret makes it slower.
      for (const part of ownParts(token, from.token)) redactor.add(recipe, part);
      return { ...from, recipe, token, shell: shell ?? `<${recipe}>` };
    },
    made,
    given(secret, what) {
      if (secret.length >= SHORTEST_GIVEN) redactor.add(what, secret);
      return made(secret, what);
    },
  };
}

/** Replaces the name of a variable for a token that was made during the run. */
const MADE = 'a token of ADMINISTRATION_COMMAND';

/** Runs ADMINISTRATION_COMMAND through the gate. Registers a new secret with the redactor before the check sees it. */
export function administerFor({ gate, transport, redactor }: CheckWorld): Administer | undefined {
  const { administer } = transport;
  return (
    administer &&
    (async (request) => {
      const answer = await gate.pass(() => administer(request));
      if (answer === undefined) return { kind: 'failed', why: gate.closed ?? RUN_STOPPED };
      if (answer.kind !== 'done') return { ...answer, why: shownReason(redactor, answer.why) };
      if (answer.secret !== undefined) redactor.add(MADE, answer.secret);
      return answer;
    })
  );
}

/**
 * Whether the target may count the token of a call as refused, whatever it answers: the call must be refused, and it has a
 * token other than a full one. What is refused without a token, or with a full one, is refused for something else.
 */
export function sendsWrongToken({ full, claims }: Pick<CheckApi, 'full' | 'claims'>, call: Call): boolean {
  const { credential, authorization, wanted } = call;
  if (wanted !== 'refused') return false;
  if (authorization !== undefined) return authorization !== null;
  return credential !== undefined && !claims.kinds.some((kind) => full(kind)?.token === credential.token);
}

/** The same for a raw request, of which nothing but the text is known. */
export function rawSendsToken({ wanted, text }: Pick<RawCall, 'wanted' | 'text'>): boolean {
  return wanted === 'refused' && /^authorization:/im.test(text);
}
