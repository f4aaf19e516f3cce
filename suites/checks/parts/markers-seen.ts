import { type CheckApi, showsMarker } from '../../../harness/checks/check.ts';
import { readIn } from '../../../harness/checks/outcome.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { isAnswer } from '../../../harness/record/observation.ts';
import { type Confirmed, confirmed } from './ask-again.ts';
import { kindHeaders } from './kind-headers.ts';
import type { Person } from './private-documents.ts';

/** Whose markers the answers to one token showed. */
export interface Sight {
  readonly own: boolean;
  readonly other: boolean;
  readonly refused: boolean;
  /** Why nothing was seen, where no answer came or nothing was sent. */
  readonly lost: string | undefined;
  /** How an answer that found something differs from the documented one. */
  readonly misfit: string | undefined;
}
/** What a token shows of two people's documents, its own person's first. */
export interface Looking {
  readonly api: CheckApi;
  readonly kind: string;
  readonly operation: Operation;
  readonly credential: Credential;
  readonly own: Person;
  readonly other: Person;
}

/** Looks again where something is amiss: only what comes again counts, but for what somebody else may see. */
export function lookTwice(looking: Looking, named: Person | undefined): Promise<Confirmed<Sight>> {
  const isShown = looking.operation.documentsBody;
  return confirmed(
    () => look(looking, named),
    ({ own, other, refused, lost, misfit }) => {
      if (other) return 'wrong at once';
      if (lost !== undefined) return 'lost';
      return refused || misfit !== undefined || (isShown && !own) ? 'wrong' : 'right';
    },
  );
}

/** Searches for either document, as the own person or whoever is named. */
export async function look(looking: Looking, named: Person | undefined): Promise<Sight> {
  const { api, kind, operation, credential, own, other } = looking;
  const headers = kindHeaders(api, kind, named?.email);
  const ask = (query: string) => api.call({ operation, credential, headers, body: { ...operation.example, query } });
  const foreign = await ask(other.query);
  // On chat that the own marker is absent proves nothing (OUTCOMES 2), and each answer costs: it is not asked for.
  const mine = operation.documentsBody ? await ask(own.query) : foreign;
  const outcomes = [readIn(foreign, operation), readIn(mine, operation)];
  return {
    own: showsMarker(mine, own.owner),
    other: showsMarker(mine, other.owner) || showsMarker(foreign, other.owner),
    refused: outcomes.some(({ kind }) => kind === 'refused'),
    lost: outcomes.flatMap((outcome) => (outcome.kind === 'lost' ? [outcome.why] : []))[0],
    misfit: isAnswer(mine.observation) ? mine.observation.schemaErrors?.[0] : undefined,
  };
}
