import { type Contract, requirementFor, type When } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import type { RequirementVerdict } from '../judge/judge-requirements.ts';
import { neutralCase } from '../plan/case.ts';
import { unitOf } from '../plan/group.ts';
import { factorsOf } from '../plan/product.ts';

/** In how many units, operations with a kind of token, a run decided a requirement, of those that it concerns. */
export interface Places {
  readonly decided: number;
  readonly of: number;
}

type Found = Pick<RequirementVerdict, 'requirement' | 'units'>;

/**
 * Counts the places of a requirement: the operations and claimed kinds for which a rule about it can hold. What no rule
 * names is about the operation that its id begins with, or about all, and about what was tried without a token.
 */
export function placesOf(contract: Contract, kinds: readonly string[], { requirement, units }: Found): Places {
  const { id, concerns = {} } = requirement;
  const { refusals, acceptances } = contract.rules;
  const operations = contract.operations.filter((operation) => isAbout(contract, id, operation));
  const named = operations.flatMap((operation) =>
    [...refusals, ...acceptances]
      .filter((rule) => requirementFor(rule.requirement, operation.id) === id)
      .map(({ when }) => ({ operation, when })),
  );
  const conditions = named.length > 0 ? named : operations.map((operation) => ({ operation, when: concerns }));
  const concerned = conditions.flatMap(({ operation, when }) =>
    kinds
      .filter((kind) => canHold(contract, when, { operation: operation.id, kind }))
      .map((kind) => unitOf({ operation: operation.id, kind })),
  );
  const tried = named.length > 0 && concerned.length > 0 ? [] : [...units.keys()];
  const all = new Set([...concerned, ...tried]);
  const decided = units.get('any/any') ? all.size : [...all].filter((unit) => units.get(unit)).length;
  return { decided, of: all.size };
}

function isAbout({ operations }: Contract, id: string, { id: name, documentsBody }: Operation): boolean {
  if (id === 'response.content-type') return documentsBody;
  return id.startsWith(`${name}.`) || !operations.some((one) => id.startsWith(`${one.id}.`));
}

/** Whether some request to the operation with a token of the kind can meet a condition. */
function canHold(contract: Contract, when: When, { operation, kind }: { operation: string; kind: string }): boolean {
  const factors = factorsOf(contract, operation, kind);
  const { family } = neutralCase(contract, operation, kind).values;
  const possible: Readonly<Partial<Record<string, readonly string[]>>> = { ...factors, family: [family] };
  // What else a condition names follows from the holding.
  return Object.entries(when).every(([name, wanted]) => {
    const values = possible[name];
    return values === undefined || [wanted].flat().some((value) => values.includes(value));
  });
}
