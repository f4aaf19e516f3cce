import { openStore } from '../store/store.ts';

// The process that the crash test of the store kills. It creates and revokes tokens in a loop. It prints a line after it has
// shown a token, before a revocation and after it. The test runs it from dist/, because Node 20 does not run TypeScript.
const [url = ''] = process.argv.slice(2);
const store = await openStore(url, Date.now);
const boss = await store.people.find('boss@example.com');
if (!boss) throw new Error(`There is no boss@example.com in ${url}.`);

const print = (line: string) => new Promise<void>((done) => process.stdout.write(`${line}\n`, () => done()));
for (let count = 0; ; count += 1) {
  const issued = await store.serviceTokens.issue(boss, {
    description: `token ${count}`,
    permission: 'USER',
    scopes: ['SEARCH'],
    userEmail: boss.email,
  });
  if (!issued.ok) throw new Error(issued.problems.map(({ message }) => message).join(' '));
  const { token, secret } = issued;
  await print(`shown ${token.id} ${secret}`);
  await store.serviceTokens.recordUse(token);
  if (count % 2 === 0) continue;
  await print(`revoking ${token.id} ${secret}`);
  await store.serviceTokens.revoke(boss, token.id);
  await print(`revoked ${token.id} ${secret}`);
}
