import type { Values } from '../contract/contract.ts';
import { onceFor } from '../contract/once.ts';
import { type Case, differing, groupOf, isCase, makeCase, neutralCases, readCaseId } from './case.ts';
import { controlOf, controlValues, isBarred } from './control.ts';
import { type Expectation, expect } from './expectation.ts';
import { lackFinder, type NotPlanned, type PlannedCase, type Supplies } from './plan.ts';

type Planning =
  | { readonly kind: 'planned'; readonly planned: PlannedCase }
  | { readonly kind: 'not-planned'; readonly expectation: Expectation; readonly why: NotPlanned };

export interface Planner {
  plan(testCase: Case): Planning;
  /** Plans the case with this id. Undefined if there is none, or if it cannot be sent. */
  find(id: string): PlannedCase | undefined;
  /** A well-made request with the token of a case, which must be accepted. Undefined if there is none. */
  proofOf(planned: PlannedCase): PlannedCase | undefined;
  /** Whether a case can be planned. It costs a tenth of planning it. */
  canSend(testCase: Case): boolean;
}

export function plannerOf(supplies: Supplies): Planner {
  const { claims, credentials } = supplies;
  const { contract, kinds } = supplies.catalogue;
  const lackOf = lackFinder(supplies);
  const neutral = neutralCases(contract);

  const reaching = new Map(
    contract.operations.map(({ id }) => [id, kinds.filter((kind) => !isBarred(contract, neutral(id, kind)))]),
  );
  // A case without a token, with an unknown one, or of a kind that never reaches the operation has a control of the first
  // claimed kind that does (outcomes 2).
  const firstSuppliedKind = (operation: string) => {
    const all = reaching.get(operation) ?? [];
    const claimed = claims.kinds.filter((kind) => all.includes(kind));
    return claimed.find((kind) => lackOf(neutral(operation, kind).values) === undefined) ?? claimed[0] ?? all[0];
  };
  const substituteKinds = new Map(contract.operations.map(({ id }) => [id, firstSuppliedKind(id)]));
  const controlKind = ({ operation, kind }: Values) =>
    reaching.get(operation)?.includes(kind) ? kind : substituteKinds.get(operation);
  const controlFor = (testCase: Case): Case | undefined => {
    const kind = controlKind(testCase.values);
    return kind === undefined ? undefined : controlOf(contract, testCase, neutral(testCase.values.operation, kind));
  };

  const plan = (testCase: Case): Planning => {
    const { id, values } = testCase;
    const expectation = expect(contract, values);
    const ownLack = lackOf(values);
    const control = ownLack || expectation.kind === 'accept' ? undefined : controlFor(testCase);
    const why = ownLack ?? (control && lackOf(control.values));
    if (why) return { kind: 'not-planned', expectation, why };
    const supply = credentials.supply(values);
    const credential = supply.kind === 'token' ? supply.credential : undefined;
    const deviations = differing(contract, values, neutral(values.operation, values.kind).values).length;
    const group = groupOf(values, expectation);
    // Each property by its name: every copy of an object has a hidden class of its own (V8), which needs more memory than the case.
    const planned = { id, values, group, expectation, credential, control: control?.id, deviations };
    return { kind: 'planned', planned };
  };
  const find = onceFor((id: string): PlannedCase | undefined => {
    const read = readCaseId(id, (kind) => contract.matrix.kinds[kind]?.family ?? 'none');
    const planning = isCase(contract, read) ? plan(makeCase(contract, read)) : undefined;
    return planning?.kind === 'planned' && planning.planned.id === id ? planning.planned : undefined;
  });

  return {
    plan,
    find,
    proofOf({ values: { kind, validity, holding }, credential }) {
      for (const { id } of credential && kinds.includes(kind) ? contract.operations : []) {
        const proof = find(makeCase(contract, { ...neutral(id, kind).values, validity, holding }).id);
        if (proof?.expectation.kind === 'accept' && proof.credential?.recipe === credential?.recipe) return proof;
      }
      return undefined;
    },
    canSend(testCase) {
      const { values } = testCase;
      if (lackOf(values)) return false;
      const kind = controlKind(values);
      if (kind === undefined) return true;
      const { values: wellMade } = neutral(values.operation, kind);
      // A case that must be accepted needs no control. It has no fault to repair, so this is then the case itself.
      return lackOf(kind === values.kind ? controlValues(contract, values, wellMade) : wellMade) === undefined;
    },
  };
}
