import type { Contract } from '../contract/contract.ts';
import { stepsOf, withValueAt } from '../contract/json-value.ts';
import type { Operation } from '../contract/openapi.ts';
import { areEmails, isPerson, NOT_PEOPLE } from '../contract/people.ts';
import {
  barredFrom,
  identityIn,
  lineOf,
  listed,
  scopesIn,
  type WrittenContract,
} from '../contract/written-contract.ts';
import type { WireRequest } from '../plan/request.ts';
import { everyVariable } from '../preview/made-up-values.ts';
import { instanceOf, readRaw } from '../preview/read-request.ts';
import type { RawAnswer } from '../record/observation.ts';
import { NO_ROUTES } from '../send/routes.ts';
import type { Transport } from '../send/transport.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import { answerTo, type Fault } from './server/evaluator.ts';
import type { Server, Token } from './server/facts.ts';

type Variables = Readonly<Record<string, string>>;

/** A value for every variable. Where the identity shows a number, people are numbers. */
export function madeUpVariables(catalogue: Catalogue): Variables {
  const { contract } = catalogue;
  const made = everyVariable(catalogue);
  if (areEmails(contract) || !showsNumber(contract)) return made;
  const people = Object.keys(made).filter((name) => isPerson(contract, name));
  return { ...made, ...Object.fromEntries(people.map((name, index) => [name, String(index + 1)])) };
}

function showsNumber({ operations, identity }: Contract): boolean {
  const validate = operations.find(({ id }) => id === identity?.operation)?.success.validate;
  if (!validate || !identity) return false;
  const body = withValueAt(instanceOf(validate.schema), stepsOf(identity.pointer), 'somebody');
  return !validate(body);
}

/** A body that is not the documented one. Undefined where every body is. */
export function misfitOf({ validate }: Operation['success']): unknown {
  return validate && [[], {}, 'a text', 1, null].find((body) => !validate(body));
}

/** A status of success that is not documented. Undefined where each one is. */
export function unwantedOf({ status, others }: Operation['success']): number | undefined {
  return [206, 200, 202, 203, 205].find((one) => one !== status && !others.includes(one));
}

export function serverOf(written: WrittenContract, { contract, tokens }: Catalogue, variables: Variables): Server {
  const identity = identityIn(written);
  const { acting, credential } = written;
  const suffix = contract.people.suffix;
  const ownerOf = (kind: string) => variables[`${kind}_${suffix}`] ?? variables[`USER_${suffix}`] ?? '';
  const scopes = scopesIn(written);
  const people = Object.entries(variables).filter(
    ([name]) => isPerson(contract, name) && !NOT_PEOPLE.some((one) => name === `${one}_${suffix}`),
  );
  return {
    credential:
      typeof credential === 'string' ? { header: lineOf(credential).name, ...lineOf(credential) } : credential,
    operations: contract.operations.map(({ id, method, path, field, option, success }) => ({
      ...{ id, method, path, field, option },
      needs: listed(written.operations[id]?.needs),
      barred: barredFrom(written, id),
      success: {
        status: success.status,
        body: success.validate ? instanceOf(success.validate.schema) : {},
        misfit: misfitOf(success),
        unwanted: unwantedOf(success),
      },
    })),
    acting: acting && {
      header: acting.header,
      by: listed(acting.by),
      isRequired: acting.is === 'required',
      loses: listed(acting.loses),
    },
    identity: identity && { operation: identity.operation, keys: stepsOf(identity.pointer) },
    tokens: new Map(
      tokens.flatMap(({ name, kind, validity, holding }): readonly (readonly [string, Token])[] => {
        const token = variables[name];
        const held = { kind, state: validity, scopes: scopesHeld(holding, scopes), owner: ownerOf(kind) };
        return token === undefined ? [] : [[token, held]];
      }),
    ),
    people: people.map(([, value]) => value),
    areEmails: areEmails(contract),
    statuses: statusesIn(written),
  };
}

function scopesHeld(holding: string, scopes: readonly string[]): readonly string[] {
  const [form = '', ...name] = holding.split(':');
  const scope = name.join(':');
  if (form === 'all') return scopes;
  if (form === 'all-but') return scopes.filter((one) => one !== scope);
  return form === 'only' ? [scope] : [];
}

/** The statuses that entries of `rules` name: of several, a number rather than a class. */
function statusesIn({ rules = {} }: WrittenContract): Server['statuses'] {
  return Object.fromEntries(
    Object.entries(rules).flatMap(([id, { expect }]) => {
      const all = [expect ?? []].flat();
      const [status] = [...all.filter((one) => typeof one === 'number'), ...all];
      if (status === undefined) return [];
      return [[id, typeof status === 'number' ? status : Number(status[0]) * 100]];
    }),
  );
}

export function transportTo(server: Server, baseUrl: string, fault?: Fault): Transport {
  const answer = (request: WireRequest): RawAnswer => ({ ...answerTo(server, request, fault), truncated: false });
  const probe = { send: async (request: WireRequest) => answer(request), close: async () => undefined };
  const { pathname } = new URL(baseUrl);
  return {
    probe,
    connect: () => probe,
    raw: async (text) => readRaw(text, pathname, answer),
    routes: async () => NO_ROUTES,
    mayVisit: async () => false,
    visit: async () => ({ kind: 'failure', failure: 'other', detail: 'an imagined server knows no other' }),
    administer: undefined,
  };
}
