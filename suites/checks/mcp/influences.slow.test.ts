import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../../../harness/plan/request.ts';
import { everyVariable } from '../../../harness/preview/made-up-values.ts';
import type { RawAnswer } from '../../../harness/record/observation.ts';
import { catalogue } from '../../../harness/testing/contract.ts';
import { type Change, decide, header, messageIn, wrong } from '../../testing/remote-mcp.ts';

const claimed = { CONFORMANCE_CLAIMS: 'user global mcp' };

const { USER_TOKEN } = everyVariable(catalogue);

/** Answers refused calls of tools that `lets` selects as the last accepted one. */
function lettingIn(lets: (request: WireRequest) => boolean): Change {
  let accepted: RawAnswer | undefined;
  return (answer, request) => {
    if (messageIn(request)?.method !== 'tools/call') return answer;
    if (answer.status === 200) accepted = answer;
    return answer.status === 401 && lets(request) ? (accepted ?? answer) : answer;
  };
}

describe('a remote MCP server', () => {
  test.each([
    ['a header', (request: WireRequest) => header(request, 'X-Forwarded-For') !== undefined],
    ['a parameter of its address', ({ path }: WireRequest) => path.includes('access_token=')],
    ['a token elsewhere', (request: WireRequest) => header(request, 'X-API-Key') === USER_TOKEN],
    ['an argument of the tool', ({ body = '' }: WireRequest) => /"arguments":\{[^}]*"userEmail"/.test(body)],
  ])('that lets a call in for %s fails mcp.token, and the decision names it', async (_what, lets) => {
    const { decisions } = await decide(lettingIn(lets), claimed);
    const failed = decisions.filter(({ verdict }) => verdict === 'fail');
    expect(new Set(failed.map(({ requirement }) => requirement))).toEqual(new Set(['mcp.token']));
    expect(failed.map(({ detail }) => detail).join()).toMatch(/ is accepted with the /);
  });

  test('that refuses all of it is blamed for nothing', async () => {
    const strict: Change = (answer, request) => {
      const isStrange = header(request, 'X-Forwarded-For') ?? header(request, 'X-Service-Auth-Type');
      return isStrange !== undefined || request.path.includes('?') ? { ...answer, status: 400, text: '' } : answer;
    };
    expect(wrong((await decide(strict, claimed)).decisions)).toEqual([]);
  });
});
