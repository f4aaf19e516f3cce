import type { Redactor } from '../record/redact.ts';
import { MADE } from './administer.ts';
import type { CheckApi } from './check.ts';

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
      redactor.add(recipe, token);
      return { ...from, recipe, token, shell: shell ?? `<${recipe}>` };
    },
    made,
    given(secret, what) {
      if (secret.length >= SHORTEST_GIVEN) redactor.add(what, secret);
      return made(secret, what);
    },
  };
}
