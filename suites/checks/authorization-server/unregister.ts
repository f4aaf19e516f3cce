import type { CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import { outcomeOf } from '../../../harness/checks/outcome.ts';
import { objectIn } from '../shared/json-object.ts';
import { type Metadata, reachable } from './discovery.ts';

/**
 * Removes a client that a check registered, if the answer to its registration said how (RFC 7592 2.3 and 3). The token
 * for that goes only to the origin that gave it.
 * @param answer the answer to the registration; nothing happens if it registered no client.
 */
export async function unregister(parent: CheckApi, server: Metadata, answer: CheckAnswer | undefined): Promise<void> {
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
  if (!(await reachable(parent, address))) return stays('the address to remove it uses no https');
  // The decisions of the check do not rest on this step.
  const api = parent.fork();
  const outcome = outcomeOf(
    await api.visit({
      url: new URL(address),
      method: 'DELETE',
      credential: api.given(token, 'the registration access token'),
      shows: 'the client that was registered is removed again',
      wanted: 'either',
    }),
  );
  switch (outcome.kind) {
    case 'accepted':
      return parent.removed('client', id);
    case 'refused':
      return stays(`the request to remove it got ${outcome.status}`);
    case 'lost':
      return stays(`the request to remove it got no answer: ${outcome.why}`);
  }
}
