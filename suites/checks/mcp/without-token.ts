import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import { type Decided, fail, inconclusive, observed, pass } from '../shared/decision.ts';
import type { Begun, Tried } from './begin.ts';
import { isFirst } from './handshake.ts';
import type { Told } from './message.ts';
import { type Attempt, attempted } from './refusals.ts';

/** A request that was tried with a good token, and then without any. */
export interface Door extends Tried {
  /** Undefined if it was not accepted with the token. */
  readonly bare: Told | undefined;
  readonly acceptance: Acceptance | undefined;
  /**
   * The server takes it from everybody. MCP lets a server have no authorization, so it may let everybody begin and see its
   * tools. A tool runs for a person (spec 5.2), and what wants a token at first wants it with every message.
   */
  readonly isPublic: boolean;
}

export const PUBLIC = 'the server takes this message from everybody, so that no token shows anything';

/** Sends each request that was accepted once more, without a token and, if there is one, in the same MCP session. */
export async function doorsOf({ handshake, initialize, list, call }: Begun): Promise<readonly Door[]> {
  const doors: Door[] = [];
  for (const tried of [initialize, list, ...(call ? [call] : [])]) {
    const { own, request, found } = tried;
    const isAccepted = found.got.kind === 'accepted';
    const bare = isAccepted ? (await attempted(own, { handshake, request, token: NONE })).got : undefined;
    const acceptance = isAccepted ? await own.acceptance(found.got.answer) : undefined;
    const isTool = tried === call;
    const letsBegin = isFirst(request.operation) || doors[0]?.isPublic === true;
    doors.push({ ...tried, bare, acceptance, isPublic: bare?.kind === 'accepted' && letsBegin && !isTool });
  }
  return doors;
}

const NONE: Attempt['token'] = { how: 'a message without a token', credential: undefined };

/** Whether a message without a token is refused. Undefined if that was not tried. */
export function bareVerdict({ bare, acceptance, isPublic }: Door): Decided | undefined {
  if (!bare) return undefined;
  if (isPublic) return observed(PUBLIC);
  switch (bare.kind) {
    case 'accepted':
      return fail(bare.answer, `${NONE.how} is accepted`);
    case 'refused':
      return pass(acceptance, `${NONE.how} is refused`);
    case 'lost':
      return inconclusive(bare.why);
  }
}
