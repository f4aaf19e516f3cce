import { succeedingAt } from '../../fixtures/deviants/build.ts';
import { bodyField, chatPath, type PlainRequest } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';

/** What was said in a conversation is shown to who began it, and to whom `reads` lets in; `loses` ends it for a refused try. */
export const remembering = (reads: (request: PlainRequest) => boolean, loses = false): PlainOptions => {
  const begun = new Map<unknown, { readonly owner: string; readonly said: unknown; isLost?: boolean }>();
  return succeedingAt(chatPath, (answer, request, person) => {
    const id = bodyField(request, 'conversationId') ?? answer.body.conversationId;
    const known = begun.get(id) ?? { owner: person, said: bodyField(request, 'query') };
    begun.set(id, known);
    if (known.owner === person ? known.isLost : !reads(request)) {
      if (loses) known.isLost = true;
      return { status: 404, message: 'No such conversation' };
    }
    return { ...answer, body: { ...answer.body, history: known.said } };
  });
};
