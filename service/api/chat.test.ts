import { describe, expect, test } from 'vitest';
import { bearer, chatPath, type TestApp, testApp } from '../testing/app.ts';

/** Ann and Bob have one private document each. A third one is for everyone. Both can ask with a USER and a GLOBAL token. */
async function annAndBob() {
  const app = await testApp();
  const { store, ann, bob, boss, secret, send } = app;
  await store.documents.add({ title: 'Rent', body: 'The rent of the hall is due in May.', owner: ann, audience: [] });
  await store.documents.add({ title: 'Raise', body: 'The rent of Bob rises in June.', owner: bob, audience: [] });
  await store.documents.add({ title: 'House', body: 'The rent is paid by bank.', owner: boss, audience: 'everyone' });
  const own = {
    ann: bearer(await secret()),
    bob: bearer(await secret({ userEmail: bob.email })),
  };
  const global = bearer(await secret({ permission: 'GLOBAL' }));
  const as = {
    ann: [...global, 'X-Service-ActAs', ann.email],
    bob: [...global, 'X-Service-ActAs', bob.email],
  };
  const ask = (headers: string[], query: string, conversationId?: unknown) =>
    send(chatPath, headers, { query, ...(conversationId !== undefined && { conversationId }) });
  return { ...app, own, as, ask };
}

const sources = ({ json }: Awaited<ReturnType<TestApp['send']>>) =>
  Array.isArray(json.sources) ? json.sources.map(({ title }) => title).sort() : [];

describe('an answer', () => {
  test('quotes the documents that the caller may see, and names them', async () => {
    const { own, as, ask } = await annAndBob();
    for (const headers of [own.ann, as.ann]) {
      const answer = await ask(headers, 'When is the rent due?');
      expect(sources(answer)).toEqual(['House', 'Rent']);
      expect(answer.json.answer).toContain('The rent of the hall is due in May.');
      expect(answer.text).not.toContain('Raise');
      expect(answer.text).not.toContain('June');
    }
  });

  test('says so when nothing is found, and has no sources', async () => {
    const { own, ask } = await annAndBob();
    for (const query of ['xylophone', '', '" OR * NEAR(', 'title:']) {
      const answer = await ask(own.ann, query);
      expect(answer).toMatchObject({ status: 200, json: { answer: 'I found nothing about that.', sources: [] } });
    }
  });
});

describe('a conversation', () => {
  test('is continued by the person who started it, with any of their tokens, and remembers the previous question', async () => {
    const { own, as, ask } = await annAndBob();
    const first = await ask(own.ann, 'rent');
    const { conversationId } = first.json;
    for (const headers of [own.ann, as.ann, own.ann]) {
      const next = await ask(headers, 'and when?', conversationId);
      expect(next).toMatchObject({ status: 200, json: { conversationId } });
    }
    const again = await ask(own.ann, 'xylophone', (await ask(own.ann, 'rent')).json.conversationId);
    expect(sources(again)).toEqual(['House', 'Rent']);
  });

  test('is refused to another person as if it did not exist, and stays unchanged', async () => {
    const { own, as, ask, store, ann } = await annAndBob();
    const { conversationId } = (await ask(own.ann, 'rent')).json;
    const none = await ask(own.bob, 'bank', 'none');
    for (const headers of [own.bob, as.bob]) {
      const refused = await ask(headers, 'bank', conversationId);
      expect(refused.status).toBe(404);
      expect({ ...refused.json, requestId: '' }).toEqual({ ...none.json, requestId: '' });
    }
    expect(await store.conversations.lastQuestion(ann, String(conversationId))).toBe('rent');
  });

  test('takes no turn of another person in the store either', async () => {
    const { store, ann, bob } = await annAndBob();
    const id = await store.conversations.begin(ann, { question: 'rent', answer: 'May' });
    expect(await store.conversations.add(bob, id, { question: 'bank', answer: 'no' })).toBe(false);
    expect(await store.conversations.add(ann, id, { question: 'due', answer: 'May' })).toBe(true);
    expect(await store.conversations.lastQuestion(ann, id)).toBe('due');
    expect(await store.conversations.lastQuestion(bob, id)).toBeUndefined();
  });

  test('quotes a shared document only to the people it is shared with', async () => {
    const { store, own, ask, boss, bob } = await annAndBob();
    await store.documents.add({ title: 'Shared', body: 'Rent notes.', owner: boss, audience: [bob] });
    expect((await ask(own.bob, 'notes')).json.answer).toBe('Shared: Rent notes.');
    expect((await ask(own.ann, 'notes')).text).not.toContain('Rent notes');
  });

  test.each(['', ' ', 'a'.repeat(5000), '%', "' OR 1=1 --"])(
    'does not exist with the id %j',
    async (conversationId) => {
      const { own, ask } = await annAndBob();
      expect(await ask(own.ann, 'rent', conversationId)).toMatchObject({ status: 404 });
    },
  );
});
