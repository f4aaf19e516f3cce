/** The reference service as another program starts it. */
export { type Configuration, readConfiguration } from './configuration.ts';
export { readIdentityProviders } from './issuers/identity-provider-file.ts';
export type { Issuer } from './issuers/issuers.ts';
export { createLog } from './log.ts';
export { createGuardedFetch } from './sign-in/guarded-fetch.ts';
export { startService } from './start.ts';
export { demoCompany } from './store/demo-company.ts';
export { openStore } from './store/store.ts';
