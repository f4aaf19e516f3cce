import { expect, test } from 'vitest';
import { read } from '../testing/small-contract.ts';
import { catalogue } from '../testing/small-world.ts';
import { catalogueOf } from './catalogue.ts';
import { settingLines, variableMeanings } from './variable-meanings.ts';
import { DEFAULT_REPORT_DIR, NOBODY, SETTING_VARIABLES } from './variables.ts';

const meanings = new Map(variableMeanings(catalogue).map(({ name, means }) => [name, means]));

test('every variable has a meaning, in which its owner is named', () => {
  expect([...meanings.keys()]).toEqual(catalogue.names);
  expect([...meanings].filter(([, means]) => means.includes('*'))).toEqual([]);
  expect(meanings.get('OKTA_EMAIL')).toBe(
    `the email of the owner of OKTA tokens, if it is not USER_EMAIL; ${NOBODY} if they belong to no person`,
  );
  expect(meanings.get('OAUTH_MCP_TOKEN_MCP')).toMatch(
    /^an OAuth token of OAUTH .*, with permission for it and for no tool$/,
  );
});

test('the owner of tokens is compared with who they act as only where tokens can act as somebody', async () => {
  const meaning = async (...acting: readonly string[]) => {
    const found = variableMeanings(catalogueOf(await read({}, ...acting)));
    return found.find(({ name }) => name === 'USER_EMAIL')?.means;
  };
  expect(await meaning()).toBe('the email of the owner of the tokens');
  expect(
    await meaning('acting: { header: X-Acts, by: KEY, is: optional }', 'identity: { none: no operation shows it }'),
  ).toContain('; not the person of ACT_AS_EMAIL');
});

test('every setting has an example: the default value, if there is one', () => {
  expect(SETTING_VARIABLES.filter((name) => settingLines(name).includes(`# ${name}=`))).toEqual([]);
  expect(settingLines('CONFORMANCE_REPORT_DIR').at(-1)).toBe(`# CONFORMANCE_REPORT_DIR=${DEFAULT_REPORT_DIR}`);
});
