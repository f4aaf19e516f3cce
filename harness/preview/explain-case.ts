import { type Contract, DIMENSIONS, operationOf } from '../contract/contract.ts';
import { describeWanted } from '../judge/wording.ts';
import { curlFor } from '../plan/curl.ts';
import { allSuspects, type Suspect } from '../plan/expectation.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { howToMake } from '../settings/variable-meanings.ts';
import { type Section, type World, wordsOf } from './explain-world.ts';

export function aboutCase({ contract, plan, core, parts, settings }: World, planned: PlannedCase): Section[] {
  const { values, expectation, credential } = planned;
  const operation = operationOf(contract, values.operation);
  const { dimensions, kinds } = contract.matrix;
  const rows = DIMENSIONS.flatMap((dimension): [string, string][] => {
    const value = values[dimension];
    switch (dimension) {
      case 'operation':
        return [[dimension, `${operation.method} ${operation.path}, which needs the scope ${operation.scope}`]];
      case 'kind':
        return [[dimension, `${value}, family ${kinds[value]?.family}`]];
      case 'holding':
        return value === '-' ? [] : [[dimension, `${value}: the scope is ${values.scope}`]];
      default:
        return value === '-' ? [] : [[dimension, `${value}: ${dimensions[dimension][value]}`]];
    }
  });
  const token = settings.catalogue.tokens.find(({ name }) => name === credential?.variable);
  const control = planned.control === undefined ? undefined : plan.cases.get(planned.control);
  return [
    { title: `${planned.id}, a case of ${core.has(planned.id) ? 'every depth' : 'the deeper depths'}`, rows: [] },
    {
      title: 'What is sent',
      rows: [
        ...rows,
        ...(credential ? [['token', credential.recipe] as const] : []),
        ...(token ? [['created as', howToMake(contract, token)] as const] : []),
      ],
    },
    { title: 'What is accepted', rows: [['', describeWanted(contract, expectation, operation)]] },
    {
      title: 'Why',
      rows: allSuspects(expectation).flatMap((suspect) => reasonsOf(contract, suspect)),
    },
    ...(control ? [{ title: 'It counts beside an acceptance of', rows: [['', control.id] as const] }] : []),
    { title: 'Again', rows: [['', curlFor(parts, settings, planned)]] },
  ];
}

function reasonsOf(contract: Contract, { rule: id, requirement, basis }: Suspect): (readonly [string, string])[] {
  const rule = contract.rules.refusals.find((known) => known.id === id);
  const reason = rule?.silent ?? rule?.reason;
  const how = rule ? `rule ${id}, ${rule.silent === undefined ? basis : 'left open'}` : 'shown by its success';
  return [
    [requirement, wordsOf(contract.requirements.find((known) => known.id === requirement))],
    ['', `${how}${reason === undefined ? '' : `: ${reason}`}`],
  ];
}
