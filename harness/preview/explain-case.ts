import { type Contract, DIMENSIONS, operationOf } from '../contract/contract.ts';
import { describeWanted } from '../judge/wording.ts';
import { curlFor } from '../plan/curl.ts';
import { allSuspects, type Suspect } from '../plan/expectation.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { howToMake } from '../settings/variable-meanings.ts';
import { citedText, type ExplainContext, type Section } from './explain-context.ts';

export function aboutCase({ contract, find, core, parts, settings }: ExplainContext, planned: PlannedCase): Section[] {
  const { values, expectation, credential } = planned;
  const operation = operationOf(contract, values.operation);
  const { dimensions, kinds } = contract.matrix;
  const rows = DIMENSIONS.flatMap((dimension): [string, string][] => {
    const value = values[dimension];
    switch (dimension) {
      case 'operation':
        return [[dimension, `${operation.method} ${operation.path}; needs the scope ${operation.scope}`]];
      case 'kind':
        return [[dimension, `${value}, family ${kinds[value]?.family}`]];
      case 'holding':
        return value === '-' ? [] : [[dimension, `${value}: the scope is ${values.scope}`]];
      default:
        return value === '-' ? [] : [[dimension, `${value}: ${dimensions[dimension][value]}`]];
    }
  });
  const token = settings.catalogue.tokens.find(({ name }) => name === credential?.variable);
  const control = planned.control === undefined ? undefined : find(planned.control);
  return [
    { title: `Case ${planned.id} (${core.has(planned.id) ? 'every depth' : 'not at depth core'})`, rows: [] },
    {
      title: 'What is sent',
      rows: [
        ...rows,
        ...(credential ? [['token', credential.recipe] as const] : []),
        ...(token ? [['how to create', howToMake(contract, token)] as const] : []),
      ],
    },
    { title: 'Admitted answers', rows: [['', describeWanted(contract, expectation, operation)]] },
    {
      title: 'Why',
      rows: allSuspects(expectation).flatMap((suspect) => reasonsOf(contract, suspect)),
    },
    ...(control
      ? [
          {
            title: 'Control (must be accepted; the refusal proves nothing while its token is accepted nowhere)',
            rows: [['', control.id] as const],
          },
        ]
      : []),
    { title: 'Send it yourself', rows: [['', curlFor(parts, settings, planned)]] },
  ];
}

function reasonsOf(contract: Contract, { rule: id, requirement, attribution }: Suspect): (readonly [string, string])[] {
  const rule = contract.rules.refusals.find((known) => known.id === id);
  const { basis, reason } = attribution;
  const how = rule ? `rule ${id}` : 'decided by its acceptance';
  return [
    [requirement, citedText(contract.requirements.find((known) => known.id === requirement))],
    ...(rule?.silent === undefined ? [] : [['', `left open: ${rule.silent}`] as const]),
    ['', `${how}, ${basis}${reason === undefined ? '' : `: ${reason}`}`],
  ];
}
