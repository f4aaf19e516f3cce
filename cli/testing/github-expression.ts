/** What the expressions of a workflow can name, such as `secrets.USER_TOKEN`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** Replaces each `${{ expression }}` of a text by its value. */
export function filledIn(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => String(evaluate(expression, contexts)));
}

/** Whether a step runs: like GitHub, not after a failure unless its condition calls a status function. */
export function applies(condition: string | undefined, contexts: Contexts, failed: boolean): boolean {
  const bare = (condition ?? 'success()').replace(/^\$\{\{\s*(.*?)\s*\}\}$/, '$1');
  const asksStatus = /\b(always|cancelled|failure|success)\(\)/.test(bare);
  return (asksStatus || !failed) && evaluate(bare, { ...contexts, failed }) === true;
}

/** Knows the part of the language that our workflows use, and refuses the rest. */
function evaluate(expression: string, contexts: Contexts): unknown {
  if (expression.includes('&&'))
    return expression.split('&&').every((part) => evaluate(part.trim(), contexts) === true);
  const [, left, operator, right] = /^(\S+) ([!=]=) '([^']*)'$/.exec(expression) ?? [];
  if (left !== undefined) return (evaluate(left, contexts) === right) === (operator === '==');
  switch (expression) {
    case 'always()':
    case '!cancelled()':
      return true;
    case 'success()':
      return contexts['failed'] !== true;
    case 'failure()':
      return contexts['failed'] === true;
    default:
      return named(expression, contexts);
  }
}

/** A secret or an output that does not exist is an empty text. Any other name that does not exist is a mistake. */
function named(expression: string, contexts: Contexts): unknown {
  if (!/^[a-z_]+(\.[\w-]+)+$/i.test(expression))
    throw new Error(`an expression that the test does not know: ${expression}`);
  let value: unknown = contexts;
  for (const name of expression.split('.')) {
    const members: Contexts = { ...(value as Contexts) };
    if (!(name in members)) {
      if (/^secrets\.|^steps\.[\w-]+\.outputs\./.test(expression) && name === expression.split('.').at(-1)) return '';
      throw new Error(`${expression}: there is no ${name}`);
    }
    value = members[name];
  }
  return value;
}
