import { expect, test } from 'vitest';
import { errorDescriptions } from './challenge.ts';

test.each<[challenge: string, descriptions: readonly string[]]>([
  ['Bearer error_description="Invalid identity"', ['Invalid identity']],
  ['Bearer realm="a", error="invalid_token", ERROR_DESCRIPTION = "Invalid identity"', ['Invalid identity']],
  ['Bearer error_description="one", Basic realm="x", DPoP error_description="two"', ['one', 'two']],
  ['Bearer error_description="a \\"quoted\\" word"', ['a "quoted" word']],
  ['Bearer error_description=expired', ['expired']],
  // Another parameter that quotes one is not it.
  ['Bearer realm="error_description=\\"Invalid identity\\"", x_error_description="no"', []],
  ['Bearer', []],
])('the descriptions in %s', (challenge, descriptions) => {
  expect(errorDescriptions(challenge)).toEqual(descriptions);
});
