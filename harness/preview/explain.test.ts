import { describe, expect, test } from 'vitest';
import { refusalOf } from '../testing/refusal.ts';
import { caseOf, catalogue, contract } from '../testing/small-world.ts';
import { explainer } from './explain.ts';

const explain = explainer(catalogue);
const textOf = (id: string) =>
  explain(id)
    .flatMap(({ title, rows }) => [title, ...rows.map((row) => row.join('  '))])
    .join('\n');

describe('an explanation', () => {
  test('of a case shows the request, the admitted answers, the reasons, the control and a curl line', () => {
    const { id } = caseOf('search', 'GLOBAL', { validity: 'expired', 'act-as': 'absent' });
    const text = textOf(id);
    for (const part of [
      `Case ${id} (every depth)`,
      'validity  expired: the expiry of the token has passed',
      'token  $GLOBAL_TOKEN_EXPIRED',
      'Permissions: GLOBAL',
      '; or 400 with the message "Required header missing: X-Service-ActAs"',
      'token.expired  A token is refused with 401 after its expiry. ',
      'rule act-as.missing, stated',
      'Control (must be accepted; the refusal proves nothing while its token is accepted nowhere)',
      caseOf('search', 'GLOBAL').id,
      'curl -sS -i "$TARGET_BASE_URL/rest/api/v1/search" -H "Authorization: Bearer $GLOBAL_TOKEN_EXPIRED"',
    ])
      expect(text).toContain(part);
  });

  test('of a requirement shows its text, its rules with their reasons, and what decides it', () => {
    const text = textOf('authorization.required');
    expect(text).toContain(
      'spec 1 4.1 and 5.1  A request without Authorization is refused. The status should be 401 (RFC 9110 15.5.2). (must)',
    );
    expect(text).toContain(
      'authorization.absent  if authorization is absent: 401; or 4xx or 3xx (with a warning) (interpreted)',
    );
    expect(text).toContain('spec 4.1 Headers that the endpoints need');
    expect(text).toContain('Both endpoints need the `Authorization` header of 5.1.');
    expect(text).toContain('RFC 9110 15.5.2 gives 401 where credentials are missing.');
    expect(text).toMatch(/cases {2}[\d,]+ at depth full, \d+ at depth core/);
    expect(text).toContain('Admitted answers\n  401');
  });

  test('of an excluded requirement shows the reason', () => {
    expect(textOf('events')).toContain('Not shown');
  });

  test('exists for requirements from each kind of source', () => {
    const sources = new Map(contract.requirements.map(({ id, source }) => [source.split(' ')[0], id]));
    expect([...sources.values()].filter((id) => explain(id).length < 2)).toEqual([]);
    expect(sources.size).toBeGreaterThan(1);
  });

  test('of a check lists the requirements that it decides', () => {
    expect(textOf('isolation')).toContain('user.isolation  A request returns only data');
  });

  test.each([
    ['a rule', 'authorization.absent', ['Rule authorization.absent', 'if authorization is absent: 401; or 4xx']],
    ['a scope', 'SEARCH', ['covers  POST /rest/api/v1/search', 'USER_TOKEN_ALL_BUT_SEARCH', 'scope.search']],
    ['a scope without an operation', 'PINS', ['no operation of this suite', 'USER_TOKEN_PINS']],
    ['a kind of token', 'OKTA', ['OAuth tokens of an external identity provider', 'OKTA_TOKEN_EXPIRED']],
    ['a capability', 'administration', ['ADMINISTRATION_COMMAND', 'administration.secret-once']],
    ['an operation', 'chat', ['POST /rest/api/v1/chat', 'CHAT']],
    ['a variable', 'ACT_AS_EMAIL', ['an existing person that GLOBAL tokens act as']],
    ['a variable of a command line', '$USER_TOKEN_EXPIRED', ['Variable USER_TOKEN_EXPIRED', 'search/USER/expired/all']],
    ['a masked variable', '<USER_PRIVATE_MARKER>', ['USER_PRIVATE_QUERY must not contain it']],
    ['a message', 'invalid-identity', ['Invalid identity', 'message.invalid-identity']],
    ['a value of an id', 'act-as:blank', ['the header is sent with an empty value', '/act-as:blank/']],
    ['a condition of a finding', 'validity expired', ['the expiry of the token has passed']],
    ['a group', 'search/USER/token.expired', ['Group search/USER/token.expired', 'search/USER/expired/all']],
    ['an operation and a kind', 'search/USER', ['The cases of search/USER', 'search/USER/valid/all']],
    ['a check for an operation and a kind', 'isolation/search/USER', ['for the operation search', 'user.isolation']],
    ['a check for a message of MCP and a kind', 'isolation/mcp-tools-call/USER', ['the operation mcp-tools-call']],
    ['a check as outputs call it', 'check isolation/search/USER', ['Check isolation for the operation search']],
    ['an exit code as outputs call it', 'exit code 3', ['3']],
    ['the beginning of an id', 'search/USER/expired', ['Glob search/USER/expired', 'search/USER/expired/all']],
    ['a check in the journal', 'check:isolation', ['Check isolation']],
    ['a value of a dimension', 'trailing', ['authorization trailing']],
    ['a value of two dimensions', 'absent', ['act-as absent', 'auth-type absent']],
    ['a glob of a baseline', 'search/USER/*/all/act-as:absent/auth-type:absent', ['4 cases at depth full']],
  ])('exists for %s', (_what, id, parts) => {
    const text = textOf(id);
    for (const part of parts) expect(text).toContain(part);
  });

  test.each([
    ['a glob that matches nothing', 'search/*/never/**', 'nothing that a report prints has the id search/*/never/**'],
    ['a misspelt variable', 'USER_TOKN', 'did you mean USER_TOKEN?'],
    ['a misspelt requirement', 'token.expird', 'did you mean token.expired?'],
    ['a misspelt check', 'isolatoin', 'did you mean isolation?'],
    [
      'a misspelt case',
      'serch/none/act-as:absent/auth-type:absent',
      'did you mean search/none/act-as:absent/auth-type',
    ],
    ['an unknown id', 'x', 'the report of a run lists all ids'],
    ['a name that every object has', 'constructor', 'nothing that a report prints has the id constructor'],
    ['a value that every object has', 'validity constructor', 'nothing that a report prints has the id validity'],
    ['a case of a kind that every object has', 'search/constructor', 'nothing that a report prints has the id search'],
  ])('is refused for %s, with a suggestion', (_what, id, suggestion) => {
    expect(refusalOf(() => explain(id))).toContain(suggestion);
  });
});
