/** A parameter of a challenge: a name, and a token or a quoted string (RFC 9110 11.2). */
const PARAMETER = /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;

/** What each `error_description` of a WWW-Authenticate header says (RFC 6750 3). */
export function errorDescriptions(challenge: string): readonly string[] {
  return [...challenge.matchAll(PARAMETER)].flatMap(([, name = '', quoted, token = '']) =>
    name.toLowerCase() === 'error_description' ? [quoted?.replace(/\\(.)/g, '$1') ?? token] : [],
  );
}
