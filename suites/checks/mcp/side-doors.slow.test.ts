import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../../../harness/plan/request.ts';
import { plain } from '../../../harness/preview/read-request.ts';
import { type Change, decide, header, wrong } from '../../testing/remote-mcp.ts';

const claimed = { CONFORMANCE_CLAIMS: 'user mcp' };
const given = (result: object) =>
  plain(200, { 'content-type': 'application/json' }, JSON.stringify({ jsonrpc: '2.0', id: 1, result }));

/** Answers requests without a token that `isOpen` selects with a result. */
const opening =
  (isOpen: (request: WireRequest) => boolean, result: object = { content: [] }): Change =>
  (right, request) =>
    header(request, 'Authorization') === undefined && isOpen(request) ? given(result) : right;

describe('a call of a tool without a token', () => {
  test.each<[string, string, (request: WireRequest) => boolean]>([
    ['in a batch', 'the message in a batch', ({ body = '' }) => body.startsWith('[')],
    ['with a text as id', 'a text as id', ({ body = '' }) => body.includes('"id":"')],
    ['of the other tool', 'the tool chat', ({ body = '' }) => body.includes('"name":"chat"')],
  ])('%s breaks mcp.token', async (_what, how, isOpen) => {
    const { decisions } = await decide(opening(isOpen), claimed);
    expect(wrong(decisions)).toEqual(['fail mcp.token USER']);
    expect(decisions.find(({ verdict }) => verdict === 'fail')?.detail).toContain(`is accepted with ${how}`);
  });

  test('is not accepted by a result that no tool gives', async () => {
    const { decisions } = await decide(
      opening(({ body = '' }) => body.startsWith('['), { status: 'ok' }),
      claimed,
    );
    expect(wrong(decisions)).toEqual([]);
  });
});
