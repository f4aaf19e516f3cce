import { describe, expect, test } from 'vitest';
import type { Contract, Outcome, Rule, When } from '../../harness/contract/contract.ts';
import { casesWithoutMasking } from '../../harness/plan/strength/isolation.ts';
import { casesAt, contract } from '../../harness/testing/contract.ts';
import { cases, disagreements } from '../testing/disagreements.ts';

describe('the second oracle notices a change of the rules:', () => {
  // All cases of depth core and every 37th case of depth full are enough, and take less time than all cases.
  const sample = [...casesAt('core'), ...cases.filter((_, index) => index % 37 === 0)];
  const withRefusals = (refusals: readonly Rule[]): Contract => ({
    ...contract,
    rules: { ...contract.rules, refusals },
  });

  test.each(mutationsOf(contract).map(({ what, refusals }) => [what, refusals] as const))('%s', (_what, refusals) => {
    expect(disagreements(withRefusals(refusals), sample).length).toBeGreaterThan(0);
  });

  const messageMutants = Object.entries(contract.rules.messages).flatMap(([id, message]) => [
    [`message ${id} in lower case`, { ...message, text: message.text.toLowerCase() }] as const,
    [`message ${id} with a full stop`, { ...message, text: `${message.text}.` }] as const,
    ...message.allowed.map(
      (_, index) =>
        [
          `message ${id} without its condition ${index + 1}`,
          { ...message, allowed: message.allowed.filter((__, other) => other !== index) },
        ] as const,
    ),
    [`message ${id} allowed everywhere`, { ...message, allowed: [{}] }] as const,
  ]);
  test.each(messageMutants)('%s', (what, mutant) => {
    const id = what.split(' ')[1] ?? '';
    const messages = { ...contract.rules.messages, [id]: mutant };
    expect(disagreements({ ...contract, rules: { ...contract.rules, messages } }, sample).length).toBeGreaterThan(0);
  });
});

describe('a change of the matrix changes the cases:', () => {
  const { matrix } = contract;
  const caseIds = ({ operations, matrix: changed }: Contract) =>
    new Set(casesWithoutMasking({ ...contract, operations, matrix: changed }).map(({ id }) => id));
  const known = caseIds(contract);
  const mutants: [string, Contract['matrix']][] = [
    ...matrix.scopes.map((scope): [string, Contract['matrix']] => [
      `scope ${scope} dropped`,
      { ...matrix, scopes: matrix.scopes.filter((other) => other !== scope) },
    ]),
    ...Object.keys(matrix.kinds).map((kind): [string, Contract['matrix']] => [
      `kind ${kind} dropped`,
      { ...matrix, kinds: Object.fromEntries(Object.entries(matrix.kinds).filter(([name]) => name !== kind)) },
    ]),
    ...(['act-as', 'auth-type', 'authorization', 'header-case', 'body'] as const).flatMap((dimension) =>
      Object.keys(matrix.dimensions[dimension] ?? {}).map((value): [string, Contract['matrix']] => {
        const values = Object.fromEntries(
          Object.entries(matrix.dimensions[dimension] ?? {}).filter(([name]) => name !== value),
        );
        return [
          `${dimension} ${value} dropped`,
          { ...matrix, dimensions: { ...matrix.dimensions, [dimension]: values } },
        ];
      }),
    ),
  ];
  // The loader refuses a matrix without the neutral values of a kind or without the forms of Authorization that have no
  // token.
  const loadable = mutants.filter(
    ([what]) =>
      !/(act-as absent|auth-type absent|authorization (bearer|absent|empty)|header-case documented|body valid) dropped/.test(
        what,
      ),
  );
  test.each(loadable)('%s', (_what, changed) => {
    expect(caseIds({ ...contract, matrix: changed })).not.toEqual(known);
  });
});

/** Contracts in which one rule is dropped, or has another status, message or condition. */
function mutationsOf({ rules: { refusals } }: Contract): { what: string; refusals: readonly Rule[] }[] {
  return refusals.flatMap((original, at) => {
    const put = (mutant: Rule) => refusals.map((other, index) => (index === at ? mutant : other));
    const drop = { what: `${original.id} dropped`, refusals: refusals.filter((_, index) => index !== at) };
    const conditions = Object.entries(original.when).flatMap(([aspect, wanted]) => {
      const { [aspect as keyof When]: _gone, ...without } = original.when;
      const fewer =
        [wanted].flat().length > 1
          ? [wanted].flat().map((value) => ({
              what: `${original.id} without ${aspect} ${value}`,
              refusals: put({
                ...original,
                when: { ...original.when, [aspect]: [wanted].flat().filter((other) => other !== value) },
              }),
            }))
          : [];
      return [
        ...(Object.keys(without).length > 0
          ? [{ what: `${original.id} for any ${aspect}`, refusals: put({ ...original, when: without }) }]
          : []),
        ...fewer,
      ];
    });
    if (original.outcome === undefined) return [drop, ...conditions];
    const outcomes = original.outcome.flatMap((outcome, index) => {
      const change = (what: string, mutant: Outcome) => ({
        what: `${original.id} ${what}`,
        refusals: put({ ...original, outcome: original.outcome.map((other, i) => (i === index ? mutant : other)) }),
      });
      const { message: _gone, ...bare } = outcome;
      return [
        change(`outcome ${index + 1} with status 402`, { ...outcome, status: 402 }),
        ...(outcome.message === undefined ? [] : [change(`outcome ${index + 1} without its message`, bare)]),
      ];
    });
    return [drop, ...conditions, ...outcomes];
  });
}
