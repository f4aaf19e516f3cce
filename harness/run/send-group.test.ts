import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import { growingLooks } from '../judge/looks.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { Exchange, Role } from '../record/exchange.ts';
import { isAccepted, type Observation } from '../record/observation.ts';
import type { Sender } from '../send/sender.ts';
import { accepted, answer, caseOf, contract, exchangeOf, planWith, rightAnswer } from '../testing/small-world.ts';
import { runGroup } from './send-group.ts';

const plan = planWith();
const right = ({ values }: PlannedCase) => rightAnswer(values);
const isSearchOnly = ({ operation, kind, holding }: Values) =>
  operation === 'chat' && kind === 'USER' && holding === 'only:SEARCH';
const group = (id: string) => {
  const found = plan.groups.find((known) => known.id === id);
  if (!found) throw new Error(`no group ${id}`);
  return found;
};

/** A sender to a target with these answers, and what was sent to it. */
function world(
  respond: (planned: PlannedCase, role: Role, time: number) => Observation,
  trusted = true,
  savesChats = false,
  of = plan,
) {
  const exchanges: Exchange[] = [];
  const sender: Sender = {
    exchanges,
    unsent: new Map(),
    get acceptedCredentials() {
      return new Set(exchanges.flatMap(({ credential, observation }) => (isAccepted(observation) ? [credential] : [])));
    },
    acceptedAt: (id) => exchanges.findLast((sent) => sent.case === id && isAccepted(sent.observation))?.seq,
    seen: () => undefined,
    isAnswering: async () => false,
    record: () => expect.unreachable(),
    discardRefusals: () => expect.unreachable(),
    async send(planned, role) {
      const time = exchanges.filter((sent) => sent.case === planned.id).length;
      const exchange = exchangeOf(planned, respond(planned, role, time), exchanges.length + 1, role);
      exchanges.push(exchange);
      return exchange;
    },
  };
  const decide = (id: string) =>
    runGroup(
      { contract, plan: of, sender, looks: growingLooks(of, exchanges), concurrency: 1, trusted, savesChats },
      group(id),
    );
  const roles = (planned: PlannedCase | undefined) =>
    exchanges.filter((sent) => sent.case === planned?.id).map(({ role }) => role);
  return { decide, roles, exchanges };
}

const expired = group('search/USER/token.expired');
const [plain] = expired.cases;
const control = plan.cases.get(plain?.control ?? '');
const isPlain = ({ id }: PlannedCase) => id === plain?.id;

describe('the token of a wrong refusal', () => {
  const denials = plan.groups.find(({ cases }) => cases.some(({ values }) => isSearchOnly(values)));
  const denied = denials?.cases.find(({ values }) => isSearchOnly(values));
  const proof = denied && plan.proofOf(denied);
  // Without this, the plan would send the proof anyway.
  const unprovable = { ...plan, provable: new Set<string>() };
  const rolesOfProof = async (status: number, trusted = false) => {
    const { decide, roles } = world(
      (planned) => (isSearchOnly(planned.values) && planned.id !== proof?.id ? answer(status) : right(planned)),
      trusted,
      false,
      unprovable,
    );
    await decide(denials?.id ?? '');
    return roles(proof);
  };

  test('is shown to work by one request, if the plan has none', async () => {
    expect(proof?.id).toBe(caseOf('search', 'USER', { holding: 'only:SEARCH' }).id);
    expect(await rolesOfProof(401)).toEqual(['control']);
  });

  test('needs no such request if it is refused as wanted, or was made for this run', async () => {
    expect(await rolesOfProof(403)).toEqual([]);
    expect(await rolesOfProof(401, true)).toEqual([]);
  });
});

describe('a group is decided', () => {
  test('after its control is accepted', async () => {
    const { decide, roles, exchanges } = world(right);
    const verdicts = await decide(expired.id);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(expired.cases.map(() => 'pass'));
    expect(exchanges[0]).toMatchObject({ case: control?.id, role: 'control' });
    for (const planned of expired.cases) expect(roles(planned)).toEqual(['cell']);
  });

  test('without sending a control that was accepted for another group', async () => {
    const { decide, exchanges } = world(right);
    await decide(expired.id);
    const before = exchanges.length;
    await decide('search/USER/token.tampered');
    expect(exchanges[before]?.role).toBe('cell');
  });

  test('with a control after the last group that needs it, and after many requests', async () => {
    const { decide, exchanges } = world(right);
    const groups = plan.groups.filter(({ cases }) => cases.some((needing) => needing.control === control?.id));
    for (const { id } of groups) await decide(id);
    const controls = exchanges.filter((sent) => sent.case === control?.id && sent.role === 'control');
    expect(controls.length).toBeGreaterThan(2);
    expect(exchanges.findLast(({ role }) => role === 'control')?.seq).toBeGreaterThan(
      exchanges.findLast(({ case: id, role }) => role === 'cell' && plan.cases.get(id)?.control === control?.id)?.seq ??
        0,
    );
  });
});

describe('a miss is sent again', () => {
  test('three times, and fails if it repeats', async () => {
    const { decide, roles } = world((planned) => (isPlain(planned) ? answer(403) : right(planned)));
    const verdicts = await decide(expired.id);
    expect(roles(plain)).toEqual(['cell', 'confirmation', 'confirmation', 'confirmation']);
    expect(verdicts.map(({ verdict }) => verdict).filter((verdict) => verdict !== 'pass')).toEqual(['fail']);
  });

  test.each(['search', 'chat'])(
    'of %s without repeating controls of chats if the chat budget is tight',
    async (operation) => {
      const controlsWith = async (savesChats: boolean) => {
        const { decide, exchanges } = world(right, true, savesChats);
        for (const { id } of plan.groups.filter((found) => found.id.startsWith(`${operation}/USER/`))) await decide(id);
        return exchanges.filter(({ role }) => role === 'control').length;
      };
      const [usual, tight] = [await controlsWith(false), await controlsWith(true)];
      if (operation === 'chat') expect(tight).toBeLessThan(usual);
      else expect(tight).toBe(usual);
    },
  );

  test('once if it is a chat', async () => {
    const { id, cases } = group('chat/USER/token.expired');
    const { decide, roles } = world((planned) => (planned.id === cases[0]?.id ? answer(403) : right(planned)));
    expect((await decide(id))[0]?.verdict).toBe('fail');
    expect(roles(cases[0])).toEqual(['cell', 'confirmation']);
  });

  test('and is inconclusive if it does not repeat', async () => {
    const { decide } = world((planned, _role, time) => (isPlain(planned) && time === 0 ? answer(403) : right(planned)));
    expect((await decide(expired.id))[0]).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/^intermittent/),
    });
  });

  test('and fails if it is a wrong acceptance that does not repeat', async () => {
    const { decide } = world((planned, _role, time) => (isPlain(planned) && time === 0 ? accepted : right(planned)));
    expect((await decide(expired.id))[0]).toMatchObject({ verdict: 'fail', miss: { wronglyAccepted: true } });
  });

  test('until three identical misses have repeated; the others are trusted', async () => {
    const scopes = group('search/USER/scope.missing');
    const { decide, roles } = world((planned) =>
      planned.expectation.kind === 'refuse' ? answer(404) : right(planned),
    );
    const verdicts = await decide(scopes.id);
    const decisive = verdicts.filter((found) => found.case.expectation.silent.length === 0);
    expect(new Set(decisive.map(({ verdict }) => verdict))).toEqual(new Set(['fail']));
    const confirmed = scopes.cases.filter((planned) => roles(planned).includes('confirmation'));
    expect(confirmed.length).toBeLessThan(scopes.cases.length);
    expect(confirmed).toHaveLength(3);
  });
});

test('a miss that repeats is trusted even if its control was never accepted', async () => {
  const scopes = group('search/USER/scope.missing');
  const { decide, roles } = world(() => answer(401), false);
  const verdicts = await decide(scopes.id);
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  expect(scopes.cases.filter((planned) => roles(planned).includes('confirmation'))).toHaveLength(3);
});

describe('a case with a transport outcome is sent again between sends of its nearest acceptance', () => {
  const badGateway = answer(502);

  test('and judged if the outcome recurs', async () => {
    const { decide, exchanges } = world((planned) => (isPlain(planned) ? badGateway : right(planned)));
    expect((await decide(expired.id))[0]).toMatchObject({ verdict: 'fail', miss: { got: '502' } });
    const sent = exchanges.filter(({ role }) => role === 'recurrence').map((exchange) => exchange.case === plain?.id);
    expect(sent).toEqual([false, true, false, true, false, true, false]);
  });

  test('and passes if the right answer comes', async () => {
    const { decide } = world((planned, role) => (isPlain(planned) && role === 'cell' ? badGateway : right(planned)));
    expect((await decide(expired.id))[0]?.verdict).toBe('pass');
  });

  test('and stays undecided if the nearest acceptance gets no answer either', async () => {
    const { decide, roles } = world((planned, role) =>
      isPlain(planned) || role === 'recurrence' ? badGateway : right(planned),
    );
    expect((await decide(expired.id))[0]).toMatchObject({ verdict: 'inconclusive', reason: 'status 502' });
    expect(roles(plain)).toEqual(['cell']);
  });
});
