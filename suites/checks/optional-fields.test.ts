import { describe, expect, test } from 'vitest';
import { jsonReply, type Reply } from '../../fixtures/plain/answers.ts';
import { replaceCheck } from '../../fixtures/plain/checks.ts';
import { bodyField, chatPath, headerOf, isObject, type PlainRequest, parseJson } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { conversations as variants } from '../../fixtures/variants/conversations.ts';
import type { Decision } from '../../harness/record/exchange.ts';
import { checkOf } from '../testing/checks.ts';
import { answering, runOnPlain, saying, withoutPauses } from '../testing/one-check.ts';
import { ofPlain, plainDeviants } from '../testing/plain-deviants.ts';
import { optionalFields } from './optional-fields.ts';

const deviants = plainDeviants(/^plain\.(?:field-lifts\.|conversation-(?:without|hides)-scope)/);

const hasField = (request: PlainRequest) =>
  ['pageSize', 'conversationId'].some((name) => bodyField(request, name) !== undefined);
const CLAIMS = { CONFORMANCE_CLAIMS: 'user global google' };

async function decide(options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(optionalFields, options, CLAIMS);
  return { decisions, verdicts: verdictsOf(decisions) };
}
const verdictsOf = (decisions: readonly Decision[]) =>
  new Set(decisions.map(({ operation, verdict }) => `${operation} ${verdict}`));
const both = (verdict: string) => new Set([`search ${verdict}`, `chat ${verdict}`]);

describe('what must be refused, with an optional field', () => {
  test('passes if it is refused and accepted with a right token', async () => {
    const { decisions, verdicts } = await decide();
    expect(verdicts).toEqual(both('pass'));
    expect(new Set(decisions.map(({ requirement }) => requirement))).toEqual(
      new Set(checkOf(optionalFields).requirements),
    );
  });

  test('fails for the requirement of the refusal', async () => {
    for (const deviant of deviants) {
      const { decisions } = await decide(deviant.options());
      const failed = decisions.filter(({ verdict }) => verdict === 'fail');
      expect(new Set(failed.map(({ requirement }) => requirement))).toEqual(new Set([deviant.breaks]));
    }
  });

  test.each([
    ['status', { status: 403, message: 'Invalid identity' }],
    ['message', { status: 401, message: 'Who is that?' }],
  ])('fails if it is refused with another %s than without the field', async (_what, refusal) => {
    const checks = replaceCheck('act-as.unknown', (request, original) => {
      const found = original(request);
      return found && hasField(request) ? refusal : found;
    });
    const { decisions } = await decide({ checks });
    const failed = decisions.filter(({ verdict }) => verdict === 'fail');
    expect(new Set(failed.map(({ requirement, operation }) => `${requirement} ${operation}`))).toEqual(
      new Set(['act-as.unknown search', 'act-as.unknown chat']),
    );
  });

  test('fails if what is no email runs as somebody beside the field', async () => {
    const checks = replaceCheck('act-as.unknown', (request, original) => {
      const isMalformed = headerOf(request, 'x-service-actas')?.includes('@') === false;
      return isMalformed && hasField(request) ? undefined : original(request);
    });
    const { decisions } = await decide({ checks });
    const failed = decisions.filter(({ verdict }) => verdict === 'fail');
    expect(new Set(failed.map(({ requirement }) => requirement))).toEqual(new Set(['act-as.unknown']));
  });

  test('is observed if the field is refused with a right token too', async () => {
    const decisions = await withoutPauses(optionalFields, answering(hasField, saying(400)), CLAIMS);
    expect(verdictsOf(decisions)).toEqual(both('observed'));
  });

  test('fails also if a conversation is stored some time after its first answer', async () => {
    const [later] = ofPlain(variants, /^plain\.conversation-stored-later$/);
    const { decisions } = await decide({ ...deviants[0].options(), ...later.options() });
    expect(decisions.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement)).toContain(
      'token.expired',
    );
  });

  test.each(['before', 'after'])('is not blamed if a conversation belongs to its token, %s the scope', async (when) => {
    const [variant] = ofPlain(variants, new RegExp(`^plain\\.conversation-of-the-token\\.${when}-scope$`));
    const { decisions } = await decide(variant.options());
    expect(decisions.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  });

  test('is inconclusive if no answer comes, or if nothing is accepted', async () => {
    expect((await decide(answering(hasField, saying(503)))).verdicts).toEqual(both('inconclusive'));
    expect((await decide(answering(() => true, saying(403)))).verdicts).toEqual(both('inconclusive'));
  });

  test('needs no conversationId in an answer if the client may choose one', async () => {
    const unnamed = (reply: Reply): Reply => {
      const body = parseJson(String(reply.body));
      if (reply.status !== 200 || !isObject(body)) return reply;
      const { conversationId: _unnamed, ...rest } = body;
      return jsonReply({ status: 200, body: rest });
    };
    const { verdicts } = await decide(answering(({ path }) => path === chatPath, unnamed));
    expect(verdicts).toEqual(both('pass'));
  });
});
