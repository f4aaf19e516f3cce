import { type Catalogue, mcpTokens } from './catalogue.ts';
import { lifetimeProblem, tokenProblem } from './token-problems.ts';

/**
 * What is wrong with the OAuth tokens for the remote MCP server. One line for each problem.
 * @param values the variables that are set.
 * @param now milliseconds since the epoch; undefined to skip the check of the times in a JWT.
 */
export function mcpTokenProblems(
  { contract, tokens }: Catalogue,
  values: ReadonlyMap<string, string>,
  now: number | undefined,
): readonly string[] {
  const ofMcp = mcpTokens(contract);
  const others = [...tokens, ...ofMcp].map(({ name }) => name);
  return ofMcp.flatMap(({ name, state }) => {
    const token = values.get(name);
    if (token === undefined || token.trim() === '') return [];
    const validity = state === 'expired' ? 'expired' : 'valid';
    const problem = tokenProblem(token) ?? (now === undefined ? undefined : lifetimeProblem(token, validity, now));
    if (problem !== undefined) return [`${name} ${problem}`];
    // A token of the client API must be refused by the remote MCP server, so that the two must differ.
    const same = others.find((other) => other !== name && values.get(other) === token);
    return same === undefined ? [] : [`${name} and ${same} are the same token; they must differ in audience or scopes`];
  });
}
