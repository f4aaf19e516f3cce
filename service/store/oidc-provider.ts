/**
 * oidc-provider, loaded without its remark on the console that Node 20 is older than it likes. Which Node is supported is
 * said in package.json, and every flow that this service needs is tested on it.
 */
const { warn } = console;
console.warn = (...said: unknown[]) => {
  if (!String(said[0]).includes('oidc-provider WARNING: Unsupported runtime')) warn(...said);
};
export const { Provider, errors } = await import('oidc-provider').finally(() => {
  console.warn = warn;
});
