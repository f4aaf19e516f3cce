import { authenticate, findServiceToken, recogniseIssuer, requireAuthType } from './authenticate.ts';
import { checkExpiry, requireScope } from './authorize.ts';
import { chat } from './chat.ts';
import { askUserinfo, findPerson, identify, identifyOAuth, resolveActAs } from './identify.ts';
import { readBearer, readHeaders } from './read-request.ts';
import { renderError, renderSuccess } from './render.ts';
import { search } from './search.ts';
import type { Steps } from './steps.ts';
import { validateBody } from './validate-body.ts';
import {
  askTokeninfo,
  checkAudience,
  checkClient,
  readScopes,
  verifyOAuthToken,
  verifySignature,
} from './verify-oauth-token.ts';

/**
 * What this service holds its callers to. The token comes first, then whom the request runs as, then what it may do, then
 * its body: without a token nobody learns anything. Whom before what tells the holder of a GLOBAL token that lacks the scope
 * which emails name somebody (401 or 403); such tokens act for anybody, so that is little to know.
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
