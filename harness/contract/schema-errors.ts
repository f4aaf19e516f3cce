import type { ErrorObject } from 'ajv/dist/2020.js';
import { didYouMean } from './configuration-error.ts';

/**
 * The errors without those that follow from others: a misspelled key is missing under its right name too, and what is no
 * object has no keys. Of several
 * alternatives, the one that fits best says what is wrong, or else all of them do together.
 */
export function tellingErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = errors.filter(({ keyword }) => CHOICES.includes(keyword));
  const outer = errors.filter((error) => !choices.some((choice) => branchesOf(choice, [error]).some(isFilled)));
  const told = outer.flatMap((error) => (choices.includes(error) ? bestBranch(error, errors) : [error]));
  const isMisspelt = ({ instancePath }: ErrorObject) =>
    told.some(
      ({ keyword, instancePath: own }) =>
        (keyword === 'additionalProperties' || keyword === 'type') && own === instancePath,
    );
  return told.filter(
    (error) => error.keyword !== 'propertyNames' && !(CONSEQUENCES.includes(error.keyword) && isMisspelt(error)),
  );
}

/** Keywords of several alternatives. */
const CHOICES: readonly string[] = ['oneOf', 'anyOf'];
const CONSEQUENCES: readonly string[] = ['required', ...CHOICES];

const isFilled = ({ length }: readonly unknown[]): boolean => length > 0;

/** An alternative of a choice. */
interface Branch {
  readonly $ref?: string;
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly type?: unknown;
}
const alternativesOf = ({ schema }: ErrorObject): readonly Branch[] => (Array.isArray(schema) ? schema : []);

/** The errors of each alternative. A reference has the path of what it names, so that below it the key tells. */
function branchesOf(choice: ErrorObject, errors: readonly ErrorObject[]): readonly (readonly ErrorObject[])[] {
  return alternativesOf(choice).map(({ $ref, properties = {} }, at) =>
    errors.filter(({ schemaPath, instancePath }) => {
      const [before, key = ''] = instancePath.split(`${choice.instancePath}/`);
      const isDeeper = before === '' && Object.hasOwn(properties, key.split('/')[0] ?? '');
      const isOwn = schemaPath.startsWith(`${$ref ?? `${choice.schemaPath}/${at}`}/`);
      return isOwn ? before === '' || instancePath === choice.instancePath : isDeeper && schemaPath.startsWith(SHARED);
    }),
  );
}
const SHARED = '#/$defs/';

/**
 * The alternative of the right type that knows every key, or else the one with the fewest errors; the choice itself if none has
 * the type, if it is about keys, or if it has examples and nobody meant a key of this alternative.
 */
function bestBranch(choice: ErrorObject, errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const has = (branch: readonly ErrorObject[], keywords: readonly string[]) =>
    branch.some(({ keyword, instancePath }) => keywords.includes(keyword) && instancePath === choice.instancePath);
  const branches = keysOf(choice)
    ? []
    : branchesOf(choice, errors).filter((branch) => isFilled(branch) && !has(branch, TYPES));
  const [best] = branches
    .map(tellingErrors)
    .sort((a, b) => strangeness(a, choice) - strangeness(b, choice) || a.length - b.length);
  const { examples }: Described = Object(choice.parentSchema);
  const isMeant = best?.some((error) => !explain(error).includes('; it can have ')) ?? false;
  return best && (isMeant || !examples) ? best : [choice];
}

/** How strange the keys of an object are to an alternative: known, misspelt or unknown. */
function strangeness(branch: readonly ErrorObject[], { instancePath }: ErrorObject): number {
  const unknown = branch.filter(
    (error) => error.keyword === 'additionalProperties' && error.instancePath === instancePath,
  );
  return Math.max(0, ...unknown.map((error) => (explain(error).includes('; did you mean ') ? 1 : 2)));
}
const TYPES: readonly string[] = ['type', 'enum', 'const'];

/** The keys of alternatives that say nothing else. */
function keysOf(choice: ErrorObject): readonly (readonly string[])[] | undefined {
  const keys = alternativesOf(choice).map((branch) =>
    Object.keys(branch).length === 1 ? (branch.required ?? []) : [],
  );
  return keys.every(isFilled) ? keys : undefined;
}

/** The key that an error is about, which is no part of its pointer. */
export function keyOf({ params, propertyName }: ErrorObject): string | undefined {
  return propertyName ?? params['additionalProperty'];
}

/** What a schema says of itself to people. */
interface Described {
  readonly examples?: readonly unknown[];
  readonly properties?: object;
  readonly description?: string;
}

/** Describes a schema error: its pointer, what came, what the schema expects, and the name closest to an unknown one. */
export function explain(error: ErrorObject): string {
  const { keyword, schema, data, params, propertyName } = error;
  const where = error.instancePath || 'the file';
  const { examples = [], properties = {}, description }: Described = Object(error.parentSchema);
  const such = examples
    .map((example) => (typeof example === 'string' ? example : JSON.stringify(example)))
    .join(' or ');
  const came = `${where} is ${shown(data)}`;
  switch (keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const known = Object.keys(properties);
      // `{ silenced: one, and two }` is what YAML reads two keys in.
      if (Object(data)[key] === null && didYouMean(key, known) === '')
        return `${where} has the unknown key "${key}" without a value; a comma inside { } begins another key, so put a text that has one in quotes`;
      const all = known.length > 0 && known.length <= MOST_KEYS ? `; it can have ${known.join(', ')}` : '';
      return `${where} has the unknown key "${key}"${didYouMean(key, known) || all}`;
    }
    case 'anyOf':
    case 'oneOf': {
      const keys = keysOf(error)?.map((names) => names.join(' and '));
      if (keys) return `${where} must have ${keyword === 'oneOf' ? 'either ' : ''}${keys.join(' or ')}`;
      const own = shown(data) === OBJECT ? Object.keys(Object(data)).slice(0, MOST_KEYS) : [];
      const has = own.length > 0 ? `${where} has the keys ${own.join(', ')}` : came;
      if (such !== '') return `${has}, wanted something such as ${such}`;
      const types = alternativesOf(error).map(({ type }) => type);
      return types.includes(undefined) ? `${where} ${error.message}` : `${came}, wanted ${inWords(types)}`;
    }
    case 'required':
      return `${where} lacks "${params['missingProperty']}"`;
    case 'minLength':
      return schema === 1 ? `${where} is empty` : `${where} has fewer than ${schema} characters`;
    case 'maxLength':
      return `${where} has more than ${schema} characters`;
    case 'pattern':
      if (propertyName !== undefined && such !== '')
        return `${where} has the key ${shown(data)}, wanted a name such as ${such}`;
      if (such === '') return `${where} ${error.message}`;
      return `${came}, wanted a text such as ${such}${description === undefined ? '' : `: ${description}`}`;
    case 'enum': {
      const names = Array.isArray(schema) ? schema.map(String) : [];
      const found = propertyName === undefined ? came : `${where} has the unknown key "${propertyName}"`;
      const likely = typeof data === 'string' ? didYouMean(data, names) : '';
      return `${found}, wanted one of ${names.join(', ')}${likely}`;
    }
    case 'const':
      return `${came}, wanted ${shown(schema)}`;
    case 'type':
      return `${came}, wanted ${inWords([schema].flat())}`;
    case 'uniqueItems':
      return `${where} has the same entry twice`;
    default: {
      const limit = LIMITS[keyword];
      return limit === undefined ? `${where} ${error.message ?? 'is invalid'}` : `${came}, wanted ${limit} ${schema}`;
    }
  }
}

const LIMITS: Readonly<Record<string, string>> = {
  minProperties: 'keys, at least',
  minItems: 'a list of at least',
  maxItems: 'a list of at most',
  minimum: 'at least',
  maximum: 'at most',
};

const inWords = (types: readonly unknown[]): string =>
  types.map((type) => TYPE_WORDS[String(type)] ?? String(type)).join(' or ');
const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'keys with values',
  array: 'a list',
  null: 'nothing',
};

/** A value in a message. What is long or has parts is named by its type. */
function shown(data: unknown): string {
  if (data === null || data === undefined) return 'empty';
  if (typeof data === 'object') {
    const isEmpty = Object.keys(data).length === 0;
    if (Array.isArray(data)) return isEmpty ? 'an empty list' : 'a list';
    return isEmpty ? 'empty' : OBJECT;
  }
  const text = JSON.stringify(data);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text;
}
const OBJECT = 'keys with values';
const MOST_SHOWN = 100;
/** More keys than anybody looks through. */
const MOST_KEYS = 12;
