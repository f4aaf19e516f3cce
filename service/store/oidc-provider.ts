/** Loads oidc-provider without its warning about Node 20: package.json states what is supported, and tests cover every flow. */
const { warn } = console;
console.warn = (...message: unknown[]) => {
  if (!String(message[0]).includes('oidc-provider WARNING: Unsupported runtime')) warn(...message);
};
export const { Provider, errors, interactionPolicy } = await import('oidc-provider').finally(() => {
  console.warn = warn;
});
