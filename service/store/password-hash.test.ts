import { scryptSync } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import {
  cheapPasswordCost,
  createPasswordQueue,
  dummyHash,
  hashPassword,
  passwordCost,
  passwordMatches,
  type Sender,
} from './password-hash.ts';
import { openStore } from './store.ts';

const cheap = { ln: 4, r: 8, p: 1 };

test('a password hash contains its cost, and the default is the recommended one', async () => {
  const hash = await hashPassword('correct horse', passwordCost);
  expect(hash).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[\w-]{22}\$[\w-]{43}$/);
  expect(passwordCost).toEqual({ ln: 14, r: 8, p: 5 });
  expect(await passwordMatches('correct horse', hash)).toBe(true);
  expect(await passwordMatches('Correct horse', hash)).toBe(false);
});

test('a password hash is derived with the cost that it contains', async () => {
  const [, , , salt = '', key] = (await hashPassword('correct horse', cheap)).split('$');
  const derived = scryptSync('correct horse', Buffer.from(salt, 'base64url'), 32, { N: 16, r: 8, p: 1 });
  expect(derived.toString('base64url')).toBe(key);
});

test('a password hash of another cost can be checked', async () => {
  for (const cost of [cheap, { ln: 5, r: 4, p: 3 }]) {
    const hash = await hashPassword('correct horse', cost);
    expect(await passwordMatches('correct horse', hash)).toBe(true);
    expect(await passwordMatches('battery staple', hash)).toBe(false);
  }
});

test('the same password has a different hash each time', async () => {
  expect(await hashPassword('x', cheap)).not.toBe(await hashPassword('x', cheap));
});

test('the dummy hash has the same cost and matches no password', async () => {
  const cost = (hash: string) => hash.split('$')[2];
  expect(cost(dummyHash(cheap))).toBe(cost(await hashPassword('x', cheap)));
  expect(await passwordMatches('', dummyHash(cheap))).toBe(false);
});

test('a hash of an unknown format is an error that does not contain it', async () => {
  await expect(passwordMatches('x', 'swordfish')).rejects.toThrow(
    /^A stored password hash has an unknown format\. Set the password again\.$/,
  );
});

const stranger = (name: string): Sender => ({ isKnown: false, name });
const ann: Sender = { isKnown: true, name: 'ann@example.com' };

/** Sends passwords while none is checked, then lets them be checked one after the other. @returns whose were, in order */
async function checkedInOrder(senders: readonly Sender[]): Promise<readonly string[]> {
  const queue = createPasswordQueue();
  let begin = () => {};
  const begun = new Promise<void>((done) => {
    begin = done;
  });
  const busy = [1, 2].map((place) => queue(stranger(`busy ${place}`), () => begun));
  const order: string[] = [];
  const sent = senders.map((sender) => queue(sender, async () => void order.push(sender.name)));
  begin();
  await Promise.all([...busy, ...sent]);
  return order;
}

test('the passwords of one sender wait for those of others', async () => {
  const [many, other] = [stranger('10.0.0.1'), stranger('10.0.0.2')];
  expect((await checkedInOrder([...Array(40).fill(many), other])).slice(0, 3)).toContain(other.name);
});

test('a browser that signed in before has its turn before strangers at any number of addresses', async () => {
  const strangers = Array.from({ length: 500 }, (_, index) => stranger(`10.0.0.${index}`));
  expect((await checkedInOrder([...strangers, ann])).slice(0, 3)).toContain(ann.name);
});

test('somebody with a browser of their own keeps no strangers out', async () => {
  expect((await checkedInOrder([...Array(40).fill(ann), stranger('10.0.0.1')])).slice(0, 3)).toContain('10.0.0.1');
});

test('where all places are taken, a sender with many gives one to a sender with none', async () => {
  const four = Array.from({ length: 160 }, (_, index) => stranger(`10.0.0.${index % 4}`));
  const order = await checkedInOrder([...four, stranger('10.0.0.9')]);
  expect(order).toContain('10.0.0.9');
  expect(order).toHaveLength(64);
});

test('two passwords are checked at once, sixteen of a sender wait, and the others are told to come back', async () => {
  const queue = createPasswordQueue();
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((done) => setImmediate(done));
    running -= 1;
    return 'checked';
  };
  const results = await Promise.all(Array.from({ length: 60 }, () => queue(ann, work)));
  expect(results.filter((result) => result === 'checked')).toHaveLength(18);
  expect(results.filter((result) => result === undefined)).toHaveLength(42);
  expect(most).toBe(2);
  expect(await queue(ann, work)).toBe('checked');
});

test('work that fails gives its place to the next one', async () => {
  const queue = createPasswordQueue();
  const fail = () => queue(ann, () => Promise.reject(new Error('broken')));
  await Promise.allSettled([fail(), fail(), fail()]);
  expect(await Promise.all([1, 2].map(() => queue(ann, async () => 'checked')))).toEqual(['checked', 'checked']);
});

test('a flood of sign-ins with unknown emails does not queue up without a limit', async () => {
  const { people, close } = await openStore(':memory:', () => 0, { cost: cheapPasswordCost });
  onTestFinished(close);
  const results = await Promise.all(
    Array.from({ length: 60 }, (_, index) => people.signIn(`${index}@example.com`, 'x')),
  );
  expect(results.filter(({ kind }) => kind === 'busy').length).toBeGreaterThan(30);
  expect(await people.signIn('ann@example.com', 'x')).toEqual({ kind: 'wrong' });
});
