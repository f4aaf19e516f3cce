import { type CheckApi, showsMarker } from '../../../harness/checks/check.ts';
import { readIn } from '../../../harness/checks/outcome.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { isAnswer } from '../../../harness/record/observation.ts';
import { type Confirmation, confirm } from './confirm.ts';
import { kindHeaders } from './kind-headers.ts';
import type { Person } from './private-documents.ts';

/** Which private markers the answers to one token showed. */
export interface MarkersSeen {
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
}

/** Searches again if something is wrong. Only what comes again counts, except that another's marker counts at once. */
export function confirmMarkers(search: MarkerSearch, named: Person | undefined): Promise<Confirmation<MarkersSeen>> {
  const mustFindOwn = search.operation.documentsBody;
  return confirm(
    () => searchForMarkers(search, named),
    ({ own, other, refused, lost, misfit }) => {
      if (other) return 'wrong at once';
      if (lost !== undefined) return 'lost';
      return refused || misfit !== undefined || (mustFindOwn && !own) ? 'wrong' : 'right';
    },
  );
}

/** Searches for both documents. X-Service-ActAs names `named`; if that is undefined, the kind's usual headers are sent. */
export async function searchForMarkers(search: MarkerSearch, named: Person | undefined): Promise<MarkersSeen> {
  const { api, kind, operation, credential, own, other } = search;
  const headers = kindHeaders(api, kind, named?.email);
  const ask = (query: string) => api.call({ operation, credential, headers, body: { ...operation.example, query } });
  const foreign = await ask(other.query);
  // On chat, a missing own marker proves nothing (outcomes 2) and chats are expensive, so the own query is not sent.
  const mine = operation.documentsBody ? await ask(own.query) : foreign;
  const outcomes = [readIn(foreign, operation), readIn(mine, operation)];
  return {
    own: showsMarker(mine, own.owner),
    other: showsMarker(mine, other.owner) || showsMarker(foreign, other.owner),
    refused: outcomes.some((outcome) => outcome.kind === 'refused'),
    lost: outcomes.flatMap((outcome) => (outcome.kind === 'lost' ? [outcome.why] : []))[0],
    misfit: isAnswer(mine.observation) ? mine.observation.schemaErrors?.[0] : undefined,
  };
}
