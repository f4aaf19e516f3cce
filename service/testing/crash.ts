import { openStore } from '../store/store.ts';

// A process for crash.test.ts to kill: it creates and revokes tokens as fast as it can, and says on its standard output what
// it has shown and what it has promised. From the build, since Node 20 runs no TypeScript.
const [url = ''] = process.argv.slice(2);
const store = await openStore(url, Date.now);
const boss = await store.people.find('boss@example.com');
if (!boss) throw new Error(`${url} has no boss`);

const say = (line: string) => new Promise<void>((done) => process.stdout.write(`${line}\n`, () => done()));
for (let count = 0; ; count += 1) {
  const issued = await store.serviceTokens.issue(boss, {
    description: `token ${count}`,
    permission: 'USER',
    scopes: ['SEARCH'],
    userEmail: boss.email,
  });
  if (!issued.ok) throw new Error(issued.problems.map(({ message }) => message).join(' '));
  const { token, secret } = issued;
  await say(`shown ${token.id} ${secret}`);
  await store.serviceTokens.recordUse(token);
  if (count % 2 === 0) continue;
  await say(`revoking ${token.id} ${secret}`);
  await store.serviceTokens.revoke(boss, token.id);
  await say(`revoked ${token.id} ${secret}`);
}
