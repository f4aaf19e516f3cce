import type { ErrorObject } from 'ajv/dist/2020.js';
import { stepsOf } from './json-value.ts';
import { explain } from './validator.ts';

/**
 * What is wrong with an OpenAPI document, from the errors of its schema: the innermost one. Those around it follow from it, or
 * are about alternatives that nobody meant, such as a reference or a scheme of another type.
 * @param document what was validated. The errors do not quote it.
 */
export function openApiProblem(errors: readonly ErrorObject[], document: unknown): string {
  const otherTypes = errors.flatMap(({ schemaPath }) => /^(.*\/)properties\/type\/enum$/.exec(schemaPath)?.[1] ?? []);
  const isMeant = ({ schemaPath }: ErrorObject) =>
    !schemaPath.includes('/Reference/') && !otherTypes.some((one) => schemaPath.startsWith(one));
  const meant = errors.filter(isMeant);
  const [error] = (meant.length > 0 ? meant : errors)
    .filter(({ keyword }) => !AROUND.includes(keyword))
    .sort((a, b) => stepsOf(b.instancePath).length - stepsOf(a.instancePath).length);
  if (!error) return 'the document does not fit the schema of OpenAPI';
  const { instancePath, keyword, params, propertyName } = error;
  const unknown = params['unevaluatedProperty'] ?? (keyword === 'pattern' ? propertyName : undefined);
  if (unknown !== undefined) return `${instancePath || '/'} cannot have the key ${JSON.stringify(unknown)}`;
  const data = stepsOf(instancePath).reduce((value: unknown, step) => Object(value)[step], document);
  const same = errors.filter((one) => one.instancePath === instancePath && one.keyword === keyword);
  const wanted = same.flatMap((one): readonly unknown[] => Object.values(one.params)[0] ?? []);
  return explain({ ...error, data, schema: keyword === 'enum' ? [...new Set(wanted)] : Object.values(params)[0] });
}

/** Keywords of alternatives. */
const AROUND: readonly string[] = ['oneOf', 'anyOf', 'if', 'not', 'propertyNames'];
