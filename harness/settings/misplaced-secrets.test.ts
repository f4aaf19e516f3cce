import { expect, test } from 'vitest';
import { isConfigurationError } from '../contract/configuration-error.ts';
import { settingsWith } from '../testing/small-world.ts';

const SECRET = 'f3q8Zk1LmN0pR5sTuV7w';

function refusal(variables: Readonly<Record<string, string>>): string {
  try {
    settingsWith(variables);
  } catch (error) {
    if (isConfigurationError(error)) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

test.each([
  ['CONFORMANCE_DEPTH', SECRET, /CONFORMANCE_DEPTH must be .* not a text that is not shown, because it may be/],
  ['CONFORMANCE_RATE', SECRET, /CONFORMANCE_RATE must be .* not a text that is not shown, because it may be/],
  ['CONFORMANCE_CLAIMS', `user ${SECRET}`, /CONFORMANCE_CLAIMS names a text that is not shown, because it may be/],
  ['CONFORMANCE_DEPTH', 'fZkLmNpRsTuVwfZkLmNpRsTuVw', /CONFORMANCE_DEPTH must be .* not a text that is not shown/],
  ['MCP_URL', `https://uma:${SECRET}@mcp.example/`, /MCP_URL must be an http or https URL without a user name/],
])('a secret in the place of %s is not shown', (name, value, message) => {
  const refused = refusal({ [name]: value });
  expect(refused).toMatch(message);
  expect(refused.toLowerCase()).not.toContain(value.slice(-12).toLowerCase());
});
