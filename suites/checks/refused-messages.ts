import { outcomeOf } from '../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckResult, CheckRun } from '../../harness/checks/check.ts';
import { given } from '../../harness/contract/collections.ts';
import { beginConversation, type Conversation, isSeen, NOT_SEEN, say, saying } from './begin-conversation.ts';
import { type Speaker, speakers } from './shared/conversation-id.ts';
import { type Decided, decisionOf, fail, pass, untried } from './shared/decision.ts';
import { belongsTo } from './shared/private-documents.ts';
import { refusalsOfKinds } from './shared/refusals.ts';
import { sendVaried } from './shared/send-varied.ts';

/** Somebody who says something in a conversation that is not theirs. */
interface Intruder {
  readonly who: string;
  /** What is broken if it stands in the conversation. */
  readonly requirement: string;
  readonly say: (fields: object) => Promise<CheckAnswer>;
}

/**
 * What is refused leaves no word behind: its owner reads in a conversation neither what another person says there, nor what
 * comes without a right token (spec 5.2 and 7). It shows where an answer repeats what was said before.
 */
export const refusedMessages: CheckRun = async (parent) => {
  const operation = parent.contract.operations.find(({ id }) => id === 'chat');
  const { acting, owns } = speakers(parent);
  const [speaker] = given([acting, ...owns]);
  // Who acts as ACT_AS is another person than USER. Two tokens of their own may belong to one.
  const stranger = acting && owns.find(({ kind }) => belongsTo(parent, kind) === 'user');
  if (!operation || !speaker) return [];
  // Its owner asks for no document there.
  const { person: _, ...plain } = speaker;
  const owner = await beginConversation(parent, operation, plain, 'unwritten');
  const { api, id, control } = owner;
  const { kind } = speaker;
  // The check `conversations` says why none begins.
  if (outcomeOf(owner.answer).kind !== 'accepted') return [];
  if (id === undefined || owner.nextId !== undefined || !isSeen(owner))
    return [decisionOf({ api, operation, kind }, speaker.requirement, untried(NOT_SEEN))];
  const results: CheckResult[] = [];
  for (const [at, intruder] of intrudersIn(owner, stranger).entries()) {
    const words = `Note ${(api.seed >>> 0).toString(36)}-${at}.`;
    const refused = await intruder.say({ ...saying(operation, words), conversationId: id });
    if (outcomeOf(refused).kind === 'lost') continue;
    const shows = `its owner reads nothing that was said ${intruder.who}`;
    const answer = await say(owner, {
      body: { ...operation.example, conversationId: id },
      shows,
      wanted: 'either',
    });
    const decided: Decided = answer.text.includes(words)
      ? fail(answer, `a conversation showed its owner what was said there ${intruder.who}`)
      : pass(control, shows);
    results.push(decisionOf({ api, operation, kind }, intruder.requirement, decided));
    if (decided.verdict === 'fail') break;
  }
  return results;
};

function intrudersIn(owner: Conversation, stranger: Speaker | undefined): readonly Intruder[] {
  const { api, operation, speaker } = owner;
  const shows = 'another person says something in it';
  const another = given([stranger]).map((one) => ({
    who: 'by another person',
    requirement: speaker.requirement,
    say: (body: object) => say({ ...owner, speaker: one }, { body, shows, wanted: 'either' }),
  }));
  const refusals = refusalsOfKinds(api, operation, { kinds: [speaker.kind], which: 'first' });
  const ofParts = refusals.filter((one, at) => at === refusals.findIndex(({ what }) => what === one.what));
  return [
    ...another,
    ...ofParts.map(({ what, requirement, ...base }) => ({
      who: `with ${what}`,
      requirement,
      say: (fields: object) =>
        sendVaried(api, operation, {
          base,
          variations: [],
          fields,
          shows: `${what} is refused in it`,
          wanted: 'refused',
        }),
    })),
  ];
}
