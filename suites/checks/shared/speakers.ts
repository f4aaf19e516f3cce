import type { CheckApi } from '../../../harness/checks/check.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { belongsTo, type Owner, type Person, privatePeople } from './private-documents.ts';

/** Somebody who chats: with a token of this kind, and with this person in X-Service-ActAs. */
export interface Speaker {
  readonly kind: string;
  readonly credential: Credential;
  readonly named?: string;
  readonly requirement: string;
  /** Who speaks, if that is one of the people whose private documents are known. */
  readonly person?: Person;
}
/** A GLOBAL token that acts as one person, a token of another kind, and the same GLOBAL token that acts as another person. */
export interface Speakers {
  readonly acting: Speaker | undefined;
  readonly own: Speaker | undefined;
  readonly actingAgain: Speaker | undefined;
  /** The variables of claimed kinds without which nobody can speak. */
  readonly missing: readonly { readonly kind: string; readonly requirement: string; readonly variable: string }[];
}

export function speakers(api: CheckApi): Speakers {
  const { actAs, user } = api.people;
  const people = privatePeople(api);
  const personOf = (owner: Owner) => (people.kind === 'known' ? { person: people[owner] } : {});
  const actingKind = api.claims.kinds.find((kind) => actsAs(api.contract, kind));
  const ownKinds = api.claims.kinds.filter((kind) => !actsAs(api.contract, kind) && belongsTo(api, kind) !== 'nobody');
  const ownKind = ownKinds.find((kind) => api.full(kind)) ?? ownKinds[0];
  const speaker = (kind: string | undefined, owner: Owner | undefined, named?: string): Speaker | undefined => {
    const credential = kind === undefined ? undefined : api.full(kind);
    if (kind === undefined || !credential) return undefined;
    const requirement = named === undefined ? 'user.isolation' : 'act-as.effective';
    return { kind, credential, requirement, ...(named && { named }), ...(owner && personOf(owner)) };
  };
  const missing = [[actingKind, 'act-as.effective'] as const, [ownKind, 'user.isolation'] as const].flatMap(
    ([kind, requirement]) =>
      kind === undefined || api.full(kind) ? [] : [{ kind, requirement, variable: `${kind}_TOKEN` }],
  );
  return {
    acting: actAs === undefined ? undefined : speaker(actingKind, 'ACT_AS', actAs),
    own: speaker(ownKind, ownKind !== undefined && belongsTo(api, ownKind) === 'user' ? 'USER' : undefined),
    actingAgain: user === undefined ? undefined : speaker(actingKind, 'USER', user),
    missing,
  };
}
