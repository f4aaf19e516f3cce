import type { ChatLimit } from '../send/chat-budget.ts';
import type { Settings } from '../settings/settings.ts';
import { chatNeed } from './chat-need.ts';
import { type RehearsalOptions, rehearse } from './rehearse.ts';

/** What a rehearsal tells of a run against another machine before its first request. */
export interface Forecast {
  readonly chatLimit: ChatLimit | undefined;
  /** How long each step of the run takes, in milliseconds. Pauses after refused tokens are a part of it. */
  readonly stepsMs: readonly number[] | undefined;
}

/** Rehearses a run to know its chat budget and how long it takes. */
export async function forecastOf(settings: Settings, options: RehearsalOptions): Promise<Forecast> {
  const need = await chatNeed(settings, options);
  if (!need) return { chatLimit: undefined, stepsMs: undefined };
  const { stepsMs } = await rehearse(settings, { ...options, chatLimit: need.limit });
  return { chatLimit: need.limit, stepsMs: settings.rate === undefined ? undefined : stepsMs };
}
