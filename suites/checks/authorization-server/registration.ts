import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { Aim, CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import { objectIn } from '../shared/json-object.ts';
import { type Metadata, reachable } from './discovery.ts';

/** No request ever reaches this address, because nobody signs in. */
export const REDIRECT_URI = 'http://127.0.0.1/signed-in';

export interface Registered {
  /** Undefined if no client was registered. */
  readonly clientId?: string;
  /** The redirect URIs that the answer says were registered. Undefined if it says nothing of them. */
  readonly uris?: readonly unknown[] | undefined;
  readonly problem?: string | undefined;
  /** Why no answer came. */
  readonly lost?: string;
  readonly answer?: CheckAnswer;
}

export const PLAIN: Aim = { shows: 'a client is registered', wanted: 'accepted' };

/** Registers a client, and removes it again after its use. @param changes what differs from a native client without a secret. */
export async function withClient<T>(
  api: CheckApi,
  server: Metadata,
  { changes = {}, ...aim }: Aim & { readonly changes?: Metadata },
  use: (registered: Registered) => Promise<T>,
): Promise<T> {
  const registered = await register(api, server, changes, aim);
  const result = await use(registered);
  await unregister(api, server, registered.answer);
  return result;
}

/** RFC 7591 3.1 and 3.2.1. */
async function register(api: CheckApi, server: Metadata, changes: Metadata, aim: Aim): Promise<Registered> {
  const url = await reachable(api, server['registration_endpoint']);
  if (!url) return { problem: 'the metadata has no usable registration_endpoint' };
  const body = {
    client_name: 'client-api-conformance',
    redirect_uris: [REDIRECT_URI],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    ...changes,
  };
  const answer = await api.visit({ url, body, ...aim });
  const { client_id: clientId, redirect_uris: uris } = objectIn(answer.text) ?? {};
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'lost') return { lost: outcome.why };
  if (outcome.kind === 'accepted' && clientId !== undefined) api.created('client', clientId);
  if (outcome.status !== 201 || typeof clientId !== 'string')
    return { answer, problem: `wanted 201 with a client_id to a registration, got ${outcome.status}` };
  // The server may add others (RFC 7591 3.2.1).
  const kept = Array.isArray(uris) && uris.includes(REDIRECT_URI);
  return {
    answer,
    clientId,
    uris: Array.isArray(uris) ? uris : undefined,
    problem: kept ? undefined : 'a client was registered with other redirect URIs than it sent',
  };
}

/**
 * Removes a client that was registered, if the answer to its registration said how (RFC 7592 2.3 and 3). The token for that
 * goes only to the origin that gave it.
 */
async function unregister(parent: CheckApi, server: Metadata, answer: CheckAnswer | undefined): Promise<void> {
  if (answer === undefined || outcomeOf(answer).kind !== 'accepted') return;
  const {
    client_id: id,
    registration_client_uri: address,
    registration_access_token: token,
  } = objectIn(answer.text) ?? {};
  if (id === undefined) return;
  const stays = (why: string) => parent.removed('client', id, why);
  if (typeof address !== 'string' || typeof token !== 'string' || token === '')
    return stays('the answer to the registration does not say how to remove it (RFC 7592 3)');
  if (!URL.canParse(address) || new URL(address).origin !== new URL(`${server['registration_endpoint']}`).origin)
    return stays('the address to remove it is of another origin than that of the registration');
  const url = await reachable(parent, address);
  if (!url) return stays('the address to remove it uses no https');
  // The decisions of the check do not rest on this step.
  const api = parent.fork();
  const credential = api.given(token, 'the registration access token');
  const shows = 'the client that was registered is removed again';
  const outcome = outcomeOf(await api.visit({ url, method: 'DELETE', credential, shows, wanted: 'either' }));
  switch (outcome.kind) {
    case 'accepted':
      return parent.removed('client', id);
    case 'refused':
      return stays(`the request to remove it got ${outcome.status}`);
    case 'lost':
      return stays(`the request to remove it got no answer: ${outcome.why}`);
  }
}
