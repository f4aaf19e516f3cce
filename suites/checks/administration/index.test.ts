import { describe, expect, test } from 'vitest';
import type { AdministrationAnswer } from '../../../harness/commands/administration.ts';
import { contract } from '../../../harness/testing/contract.ts';
import { decide, notPassed, settingsWith, unsupported, verdicts } from '../../testing/administered-target.ts';
import { checkOf } from '../../testing/checks.ts';
import { administration } from './index.ts';

describe('the administration of tokens', () => {
  test('sends nothing to a target that does not claim administration', async () => {
    const found = await decide(settingsWith({ CONFORMANCE_CLAIMS: 'user global' }));
    expect(found).toEqual({ decisions: [], asked: [], requests: 0, left: [] });
  });

  test('passes a target that follows the specification, without the decisions of the reference service', async () => {
    const { decisions } = await decide(settingsWith());
    const ids = contract.requirements.filter(({ capability }) => capability === 'administration').map(({ id }) => id);
    expect(new Set(notPassed(decisions))).toEqual(new Set(['administration.expires: observed']));
    expect([...new Set(decisions.map(({ requirement }) => requirement))].sort()).toEqual(
      ids.filter((id) => !id.startsWith('reference.')).sort(),
    );
  });

  test('decides every requirement for the reference service, including its own decisions', async () => {
    const { decisions } = await decide({ ...settingsWith(), trusted: true });
    expect(new Set(notPassed(decisions))).toEqual(new Set(['administration.expires: observed']));
    expect([...new Set(decisions.map(({ requirement }) => requirement))].sort()).toEqual(
      [...checkOf(administration).requirements].sort(),
    );
  });

  test('revokes the tokens that it made', async () => {
    const { asked, left } = await decide(settingsWith());
    const made = asked.filter((action) => action === 'create').length;
    const [tokens] = left;
    expect(tokens).toMatchObject({ what: 'token', removed: tokens?.created, ids: [], reasons: [] });
    expect(asked.filter((action) => action === 'revoke').length).toBeGreaterThan(made / 3);
    expect(asked.at(-1)).toBe('revoke');
  });

  test('names the tokens that it cannot revoke, and why', async () => {
    const { left } = await decide(
      settingsWith(),
      (right) => async (request) => (request.action === 'revoke' ? unsupported : right(request)),
    );
    const [tokens] = left;
    expect(tokens?.created).toBeGreaterThan(5);
    expect(tokens).toMatchObject({ what: 'token', removed: 0 });
    expect(tokens?.reasons).toEqual(['it could not be revoked: not here']);
  });

  test.each([
    ['ADMINISTRATION_COMMAND', { ADMINISTRATION_COMMAND: undefined }],
    ['USER_EMAIL', { USER_EMAIL: undefined }],
  ])('is not testable without %s', async (variable, changes) => {
    const { decisions, requests } = await decide(settingsWith(changes));
    expect([...new Set(decisions.map(({ verdict, detail }) => `${verdict} ${detail}`))]).toEqual([
      `not-testable ${variable}`,
    ]);
    expect(requests).toBe(0);
  });

  test('makes tokens on a target on another machine only if CONFORMANCE_CLAIMS says so', async () => {
    const remote = { CONFORMANCE_RATE: '1000' };
    const inferred = settingsWith({ ...remote, CONFORMANCE_CLAIMS: undefined }, 'https://api.example');
    const { decisions, asked } = await decide(inferred);
    expect(inferred.claims.capabilities).toContain('administration');
    expect(asked).toEqual([]);
    expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['not-testable']));
    expect((await decide(settingsWith(remote, 'https://api.example'))).asked).toContain('create');
  });

  test('is not testable if the command fails at the first request', async () => {
    const failed: AdministrationAnswer = { kind: 'failed', why: 'ADMINISTRATION_COMMAND ended with code 1' };
    const { decisions, asked } = await decide(settingsWith(), () => async () => failed);
    expect(new Set(decisions.map(({ verdict, detail }) => `${verdict} ${detail}`))).toEqual(
      new Set(['not-testable ADMINISTRATION_COMMAND ended with code 1']),
    );
    expect(asked).toEqual(['create']);
  });

  test('passes a target that cannot revoke tokens, and records that as observed', async () => {
    const { decisions } = await decide(
      settingsWith(),
      (right) => async (request) => (request.action === 'revoke' ? unsupported : right(request)),
    );
    expect(verdicts(decisions, 'administration.revoked')).toEqual(['observed', 'observed']);
    expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['pass', 'observed']));
  });

  test('cannot decide whether the secret is shown only once if tokens cannot be read', async () => {
    const { decisions } = await decide(
      settingsWith(),
      (right) => async (request) => (/read|list/.test(request.action) ? unsupported : right(request)),
    );
    expect(new Set(verdicts(decisions, 'administration.secret-once'))).toEqual(new Set(['not-testable']));
    expect(verdicts(decisions, 'administration.fixed')).toEqual(Array(5).fill('pass'));
  });

  test('blames a target that refuses every token for that alone', async () => {
    const { decisions } = await decide(
      settingsWith(),
      (right) => async (request) => (request.action === 'create' ? { kind: 'refused', why: 'no' } : right(request)),
    );
    const blamed = decisions.filter(({ verdict }) => verdict !== 'inconclusive').map(({ requirement }) => requirement);
    expect(blamed).toEqual(['administration.super-admin']);
  });

  test('allows a target to make a token for the requester instead of one for another person', async () => {
    const { decisions } = await decide(settingsWith(), (right) => async (request) => {
      const other = request.actor !== 'super-admin' && request.actor !== 'user';
      if (request.action !== 'create' || !other) return right(request);
      return right({ ...request, token: { ...request.token, userEmail: '@self' } });
    });
    expect(new Set(verdicts(decisions, 'administration.self-only'))).not.toContain('fail');
  });
});
