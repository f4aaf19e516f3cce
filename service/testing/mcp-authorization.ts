import type { OAuthDiscoveryState, OAuthClientProvider as ProviderV2 } from '@modelcontextprotocol/client';
import type { OAuthClientProvider as ProviderV1 } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { redirectUri } from './stock-client.ts';

interface Kept {
  information?: OAuthClientInformationMixed;
  tokens?: OAuthTokens;
  verifier?: string;
  sentTo?: URL;
  discovery?: OAuthDiscoveryState;
}

export interface InMemoryClient {
  readonly kept: Kept;
  readonly provider: ProviderV1 & ProviderV2;
}

/** An OAuth client for the MCP SDKs, version 1 and 2. It keeps everything in memory, as the examples of the SDKs do. */
export function inMemoryClient(metadata: Partial<OAuthClientMetadata> = {}): InMemoryClient {
  const kept: Kept = {};
  const provider = {
    redirectUrl: redirectUri,
    clientMetadata: {
      client_name: 'An MCP client',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...metadata,
    },
    clientInformation: () => kept.information,
    saveClientInformation: (information: OAuthClientInformationMixed) => {
      kept.information = information;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: OAuthTokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url: URL) => {
      kept.sentTo = url;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (state: OAuthDiscoveryState) => {
      kept.discovery = state;
    },
    discoveryState: () => kept.discovery,
  };
  return { kept, provider };
}
