import { MOST_CHATS } from '../run/wire-sending.ts';
import type { ChatLimit } from '../send/chat-budget.ts';
import type { Settings } from '../settings/settings.ts';
import { type RehearsalOptions, rehearse } from './rehearse.ts';

/** The chats that a run needs, found by rehearsing it. */
export interface ChatNeed {
  /** What the run is held to. */
  readonly limit: ChatLimit;
  /** Accepted chats of a run that sends all of them. */
  readonly all: number;
  /** Accepted chats of a run that leaves out those that show nothing new. */
  readonly fewest: number;
}

/** A target may cause more chats than an imagined one, because wrong answers are sent again. */
const RESERVE = 1.1;

/**
 * The chat budget of a run, and what it must suffice for. Undefined for a target on this machine, which has no limit.
 * The default is what the plan needs and a tenth more, at most 100 (outcomes 6).
 */
export async function chatNeed(settings: Settings, options: RehearsalOptions): Promise<ChatNeed | undefined> {
  if (settings.loopback) return undefined;
  const chatsWith = async (isTight: boolean) => {
    const chatLimit = { max: Number.POSITIVE_INFINITY, isTight };
    const { matrix, checks } = await rehearse({ ...settings, rate: undefined }, { ...options, chatLimit });
    return matrix.chats + checks.chats;
  };
  const all = await chatsWith(false);
  const most = settings.chatBudget ?? MOST_CHATS;
  const isTight = all > most;
  const fewest = isTight ? await chatsWith(true) : all;
  const needed = Math.max(1, Math.min(MOST_CHATS, Math.ceil((isTight ? fewest : all) * RESERVE)));
  return { limit: { max: settings.chatBudget ?? needed, isTight }, all, fewest };
}
