import { readIn } from '../../../harness/checks/acceptance.ts';
import { type CheckAnswer, type CheckApi, showsMarker } from '../../../harness/checks/check.ts';
import { ACT_AS, actsAs, headerOf } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { type Answer, isAnswer } from '../../../harness/record/observation.ts';
import { type Confirmation, confirm } from '../shared/confirm.ts';
import { belongsTo, markerOf, type Person } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';

/** Which private markers the answers to one token showed. */
export interface MarkersSeen {
  /** The answers to the searches for the own and for the other document. */
  readonly mine: CheckAnswer;
  readonly foreign: CheckAnswer;
  readonly own: boolean;
  readonly other: boolean;
  readonly refused: boolean;
  /** Why nothing could be seen: no answer came, or nothing was sent. */
  readonly lost: string | undefined;
  /** How the body of the answer that found the own document differs from the schema. */
  readonly misfit: string | undefined;
}
/** A search for the private documents of two people. The token runs as `own`. */
export interface MarkerSearch {
  readonly api: CheckApi;
  readonly kind: string;
  readonly operation: Operation;
  readonly credential: Credential;
  readonly own: Person;
  readonly other: Person;
  /** The person in X-Service-ActAs. Undefined for the kind's usual headers. */
  readonly named: Person | undefined;
}

/** Searches again if something is wrong. Only what comes again counts, except that another's marker counts at once. */
export function confirmMarkers(search: MarkerSearch): Promise<Confirmation<MarkersSeen>> {
  return confirm(
    () => searchForMarkers(search),
    ({ other, lost, refused, misfit }) => {
      if (other) return 'wrong at once';
      if (lost !== undefined) return 'lost';
      return refused || misfit !== undefined ? 'wrong' : 'right';
    },
  );
}

/** Searches for the other's document, and then for the own one. */
export async function searchForMarkers(search: MarkerSearch): Promise<MarkersSeen> {
  const { operation, own, other } = search;
  const foreign = await searchFor(search, other, `does not show ${markerOf(other)}`);
  const mine = await searchFor(search, own, `shows ${markerOf(own)}`);
  const outcomes = [readIn(foreign, operation), readIn(mine, operation)];
  return {
    mine,
    foreign,
    own: showsMarker(mine, own.owner),
    other: showsMarker(mine, other.owner) || showsMarker(foreign, other.owner),
    refused: outcomes.some((outcome) => outcome.kind === 'refused'),
    lost: outcomes.flatMap((outcome) => (outcome.kind === 'lost' ? [outcome.why] : []))[0],
    misfit: isAnswer(mine.observation) ? misfitIn(mine.observation, showsMarker(mine, own.owner)) : undefined,
  };
}

/** How the body differs from the schema. A list that is left out may be empty, but not where something was found. */
function misfitIn({ schemaErrors = [], leftOut = [] }: Answer, isFound: boolean): string | undefined {
  return [...schemaErrors, ...(isFound ? leftOut.map((name) => `${name} is left out`) : [])][0];
}

/** Searches for one document. @param expected completes the sentence "A search with this token …". */
export function searchFor(search: MarkerSearch, sought: Person, expected: string): Promise<CheckAnswer> {
  const { api, kind, operation, credential, own, named } = search;
  const needless = named !== undefined && !actsAs(api.contract, kind);
  return api.call({
    operation,
    credential,
    headers: kindHeaders(api, kind, named?.email),
    body: { ...operation.example, query: sought.query },
    shows: `${operation.id} ${describeSender(search)} ${expected}`,
    wanted: needless ? 'either' : 'accepted',
    finds: sought === own && belongsTo(api, kind) === 'user' ? own.owner : undefined,
  });
}

/** `with the GLOBAL token and X-Service-ActAs: $USER_EMAIL` */
export function describeSender({ api, kind, named }: MarkerSearch): string {
  const { name } = headerOf(api.contract, ACT_AS);
  return `with the ${kind} token${named ? ` and ${name}: $${named.owner}_EMAIL` : ''}`;
}
