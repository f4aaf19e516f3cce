import type { CheckAnswer } from '../../harness/checks/check.ts';
import type { Sighting, Viewer, Way } from '../checks/shared/sightings.ts';
import { engine, search } from './engine.ts';

const variables = {
  ACT_AS_EMAIL: 'ada@people.example',
  ACT_AS_PRIVATE_QUERY: 'payroll',
  ACT_AS_PRIVATE_MARKER: 'a marker of Ada',
  USER_EMAIL: 'a+b@people.example',
  USER_PRIVATE_QUERY: 'drafts',
  USER_PRIVATE_MARKER: 'a marker of Uma',
};
export const ada = { owner: 'ACT_AS', email: variables.ACT_AS_EMAIL, query: 'payroll' } as const;
export const uma = { owner: 'USER', email: variables.USER_EMAIL, query: 'drafts' } as const;

/** A target in memory that accepts, unless `reply` says otherwise, and an API with these variables. */
export function target(
  changes: Readonly<Record<string, string | undefined>> = {},
  reply: Parameters<typeof engine>[0] = () => 'accepts',
) {
  const known = new Map(Object.entries({ ...variables, ...changes }));
  return engine(reply, { variable: (name) => known.get(name) });
}
export const asUser = { isActing: false, isThird: false, own: uma, other: ada };
/** Somebody with a USER token, if nothing else is said. */
export function viewer(changes: Partial<Viewer> = {}): Viewer {
  const { api } = target();
  const credential = api.full('USER');
  if (!credential) throw new Error('the kind has a token');
  return { api, operation: search, kind: 'USER', credential, ...asUser, ...changes };
}

/** A look that ended so, and the owners of the documents that it shows. */
export function sighting(
  kind: 'accepted' | 'refused' | 'lost',
  owners: readonly string[] = [],
  way: Way = {},
): Sighting {
  const markers = owners.map((owner) => `${owner}_PRIVATE_MARKER`);
  const answer = { accepted: kind === 'accepted', seq: 7, observation: { kind: 'answer', status: 200, markers } };
  const outcome = kind === 'lost' ? ({ kind, why: 'no answer came' } as const) : { kind, status: 200, got: '200' };
  return { way, answer: answer as unknown as CheckAnswer, outcome };
}
