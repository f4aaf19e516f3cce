import { anyOf } from '../harness/contract/visible-text.ts';
import { SHARED_RUN } from '../harness/record/secret-forms.ts';
import { readExtraHeaders } from '../harness/settings/parse-values.ts';
import { holdsSecret, isOurs } from '../harness/settings/variables.ts';
import { variablesSoFar } from './chosen-contract.ts';

/**
 * Puts the names of variables in place of their secrets. An address, a folder and a flag may hold one, which an operator pasted
 * there. A shorter one may be a word.
 */
export function withNames(text: string): string {
  const secrets = variablesSoFar()
    .flatMap(([name, value]): readonly (readonly [string, string])[] => {
      if (!holdsSecret(name)) return [];
      if (name !== 'CONFORMANCE_EXTRA_HEADERS') return [[name, value]];
      return readExtraHeaders(value, [], []).map(([header, held]) => [`${name} ${header}`, held]);
    })
    .filter(([, value]) => value.length >= SHARED_RUN);
  const names = new Map(secrets.map(([name, value]) => [value.toLowerCase(), name]));
  return text.replace(anyOf([...names.keys()]), (found) => `<${names.get(found.toLowerCase())}>`);
}

/** Hides what looks like a token in the command line and in a variable: an error quotes them, and the log of a job keeps the error. */
export function withoutTokens(text: string): string {
  const values = variablesSoFar().flatMap(([name, value]) => (isOurs(name) ? [value] : []));
  const words = [...process.argv.slice(2), ...values].flatMap((said) => said.match(/[\w.~+-]+/g) ?? []);
  const tokens = words.filter((word) => RANDOM.some((run) => run.test(word)));
  return withNames(text).replace(anyOf(tokens), '<hidden, because it may be a secret>');
}
/** A run of letters of both cases and digits, as in base64, and a longer one of small letters and digits, as in hex. */
const RANDOM = [
  /(?=[A-Za-z\d]*[A-Z])(?=[A-Za-z\d]*[a-z])(?=[A-Za-z\d]*\d)[A-Za-z\d]{12,}/,
  /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{24,}/,
];
