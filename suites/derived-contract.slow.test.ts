import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadContractFile } from '../harness/contract/load-contract.ts';
import { temporaryFolder } from '../harness/testing/temporary-folder.ts';
import { blamedIn, judgeBy } from './proof/judge-by-contract.ts';
import { type Asked, STEPS, type Steps, startTickets } from './testing/tickets-server.ts';

const contract = await loadContractFile(join('fixtures', 'contracts', 'tickets.yaml'));
const judgeServer = judgeBy(contract);

/** Judges the server of the example with some of its steps replaced. */
async function judge(replaced: Partial<Steps> = {}, personOf?: (asked: Asked) => string, intrusive = false) {
  const target = await startTickets(replaced, personOf);
  onTestFinished(target.close);
  return judgeServer(target, intrusive);
}

test('a server that keeps the example contract conforms to it, with the intrusive checks too', async () => {
  const { ending, findings, requirements } = await judge({}, undefined, true);
  expect(findings.map(({ requirements: broken, example }) => [broken, example])).toEqual([]);
  expect(
    requirements
      .filter(({ undecided }) => undecided.length > 0)
      .map(({ requirement: { id }, undecided }) => [id, undecided]),
  ).toEqual([]);
  expect(ending).toBe('conforms');
});

const none = () => undefined;
const begunBy = ({ named = '-' }: Asked) =>
  ['alan', 'uma', 'root'].find((name) => named.length > 1 && name.startsWith(named));
test.each<[string, string, Partial<Steps>, ((asked: Asked) => string)?]>([
  ['anybody may switch user', 'act-as.no-escalation', { switching: none }],
  ['an unknown user is ignored', 'act-as.unknown', { unknown: none }],
  ['the user to switch to is ignored', 'act-as.effective', {}, ({ token }) => token.owner],
  [
    'the user to switch to is known by the beginning of a name',
    'act-as.unknown',
    { unknown: (one) => (begunBy(one) ? none() : STEPS.unknown(one)) },
    (one) => begunBy(one) ?? one.token.owner,
  ],
  ['an expired token is accepted', 'token.expired', { expired: none }],
  [
    'one of two scopes will do',
    'scope.find',
    { scopes: (one) => (one.needs.length === 2 ? none() : STEPS.scopes(one)) },
  ],
  ['who switched may search', 'act-as.rights', { loses: none }],
  [
    'a header that some servers trust lifts the refusal of an expired token',
    'token.expired',
    { expired: (one) => (one.headers['x-forwarded-for'] === '127.0.0.1' ? none() : STEPS.expired(one)) },
  ],
  [
    'a header that some servers trust says who one is',
    'identity.own',
    {},
    ({ headers, named, token }) => named ?? headers['x-forwarded-user']?.toString() ?? token.owner,
  ],
])('%s: one cause, %s', async (_what, requirement, replaced, personOf) => {
  const { ending, findings } = await judge(replaced, personOf);
  expect(ending).toBe('deviates');
  expect(findings.map(({ requirements }) => requirements)).toEqual([[requirement]]);
});

test('a header that lifts refusals and says who one is has one cause', async () => {
  const isTrusted = ({ headers }: Asked) => headers['x-forwarded-for'] === '127.0.0.1';
  const expired = (one: Asked) => (isTrusted(one) ? none() : STEPS.expired(one));
  const { findings } = await judge({ expired }, (one) => (isTrusted(one) ? 'root' : (one.named ?? one.token.owner)));
  expect(findings.map(({ requirements }) => [...requirements].sort())).toEqual([['identity.own', 'token.expired']]);
});

test('a kind of token whose owner nobody named is asked for, and blamed for nothing', async () => {
  const target = await startTickets();
  onTestFinished(target.close);
  const { ADMIN_LOGIN: _unnamed, ...env } = target.env;
  const { ending, findings, requirements } = await judgeServer({ env });
  expect(findings).toEqual([]);
  expect(ending).toBe('incomplete');
  const open = requirements.filter(({ undecided }) => undecided.length > 0);
  expect(open.map(({ requirement: { id }, undecided }) => [id, undecided.map(({ lack }) => lack)])).toEqual([
    ['identity.own', [{ kind: 'variable', name: 'ADMIN_LOGIN' }]],
  ]);
});

test('a kind of token that runs as one person and then as another is blamed, although nobody named its owner', async () => {
  let count = 0;
  const target = await startTickets({}, (one) => {
    if (one.token.kind !== 'ADMIN' || one.named !== undefined) return one.named ?? one.token.owner;
    count += 1;
    return count === 1 ? 'root' : 'uma';
  });
  onTestFinished(target.close);
  const { ADMIN_LOGIN: _unnamed, ...env } = target.env;
  expect(blamedIn(await judgeServer({ env }), 'fail')).toEqual([['identity.own']]);
});

test('a server error is free where the contract leaves that open with a reason, and nowhere else', async () => {
  const blank = ({ headers }: Asked) => headers['x-switch-user'] === '';
  const failing = await judge({
    unknown: (one) => (one.token.kind === 'ADMIN' && blank(one) ? 502 : STEPS.unknown(one)),
  });
  expect([failing.ending, blamedIn(failing, 'warn')]).toEqual(['conforms', []]);
  const named = ({ headers }: Asked) => headers['x-switch-user'] !== undefined && headers['x-switch-user'] !== '';
  const onAny = await judge({
    switching: (one) => (one.token.kind !== 'ADMIN' && named(one) ? 500 : STEPS.switching(one)),
  });
  expect(blamedIn(onAny, 'warn')).toEqual([['act-as.not-needed']]);
});

test('a right server conforms, whichever rule the contract leaves open', async () => {
  const folder = temporaryFolder();
  cpSync(join('fixtures', 'contracts'), folder, { recursive: true });
  const written = parse(readFileSync(join(folder, 'tickets.yaml'), 'utf8'));
  const target = await startTickets();
  onTestFinished(target.close);
  const open: string[] = [];
  for (const { id } of contract.rules.refusals.filter(({ outcome }) => outcome !== undefined)) {
    const rules = { ...written.rules, [id]: { silenced: 'the gateway answers as it likes' } };
    writeFileSync(join(folder, 'open.yaml'), stringify({ ...written, rules }));
    const { ending, findings } = await judgeBy(await loadContractFile(join(folder, 'open.yaml')))(target);
    if (ending !== 'conforms' || findings.length > 0) open.push(`${id}: ${ending}`);
  }
  expect(open).toEqual([]);
});

test('the contracts in docs/contracts-of-your-own.md are whole and right', async () => {
  const page = readFileSync('docs/contracts-of-your-own.md', 'utf8');
  const [standing = '', overrides = '', sibling = ''] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(
    ([, text]) => text,
  );
  const folder = temporaryFolder();
  cpSync(join('fixtures', 'contracts'), folder, { recursive: true });
  writeFileSync(join(folder, 'documented.yaml'), standing + overrides);
  writeFileSync(join(folder, 'sibling.yaml'), sibling);
  const documented = await loadContractFile(join(folder, 'documented.yaml'));
  expect(documented.rules.refusals.find(({ id }) => id === 'act-as.unknown')?.outcome).toEqual([{ status: 412 }]);
  expect((await loadContractFile(join(folder, 'sibling.yaml'))).name).toBe('acme');
});
