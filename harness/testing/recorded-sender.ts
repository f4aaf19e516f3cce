import { peopleOf } from '../plan/credentials.ts';
import { commonHeaders } from '../plan/request.ts';
import type { JournalEntry } from '../record/exchange.ts';
import { createChatBudget } from '../send/chat-budget.ts';
import type { Gate } from '../send/gate.ts';
import { createPatience } from '../send/patience.ts';
import { createSender } from '../send/sender.ts';
import type { Transport } from '../send/transport.ts';
import { contract, observer, settingsWith } from './small-world.ts';

type Way = { readonly gate: Gate } & Pick<Transport, 'probe' | 'connect'>;

/** A sender that waits 1 s, and 9 s for a chat. @param chatBudget the most chats; undefined for any number. */
export function recordedSender({ gate, ...transport }: Way, chatBudget?: number) {
  const entries: JournalEntry[] = [];
  const journal = {
    append: (entry: JournalEntry) => entries.push(entry),
    withdraw: () => undefined,
    close: () => undefined,
  };
  const people = peopleOf(contract, settingsWith().variables, 'test');
  const parts = { contract, people, common: commonHeaders('test', '0.0.0'), unknownToken: 'unknown' };
  const chats = createChatBudget(chatBudget === undefined ? undefined : { max: chatBudget, isTight: false });
  const patience = createPatience({ timeoutMs: 1000, chatTimeoutMs: 9000 });
  return { entries, sender: createSender({ contract, gate, chats, transport, journal, observer, parts, patience }) };
}
