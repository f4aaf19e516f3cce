import {
  authenticate,
  checkExpiry,
  findServiceToken,
  readBearer,
  readHeaders,
  recogniseIssuer,
  requireAuthType,
  requireScope,
} from './authenticate.ts';
import { askUserinfo, findPerson, identify, identifyOAuth, resolveActAs } from './identify.ts';
import { renderError, renderSuccess } from './render.ts';
import { chat, search } from './search-and-chat.ts';
import type { Steps } from './steps.ts';
import { validateBody } from './validate-body.ts';
import {
  askTokeninfo,
  checkAudience,
  checkClient,
  checkGrant,
  readScopes,
  verifyOAuthToken,
  verifySignature,
} from './verify-oauth-token.ts';

/**
 * The steps of this service. The order of the stages is token, person, scope, body: a caller without a token learns nothing
 * from a refusal. Because the person is checked before the scope, the holder of a GLOBAL token without the scope can find out
 * which emails exist (403 instead of 401). This is accepted: GLOBAL tokens are made to act as any person.
 */
export const policy: Steps = {
  order: ['authenticate', 'checkExpiry', 'identify', 'requireScope', 'validateBody'],

  admit: () => {},
  readHeaders,
  readBearer,

  authenticate,
  findServiceToken,
  recogniseIssuer,
  requireAuthType,
  verifyOAuthToken,
  verifySignature,
  askTokeninfo,
  checkAudience,
  checkClient,
  checkGrant,
  readScopes,

  checkExpiry,

  identify,
  resolveActAs,
  identifyOAuth,
  askUserinfo,
  findPerson,

  requireScope,
  validateBody,

  search,
  chat,

  renderSuccess,
  renderError,
};
