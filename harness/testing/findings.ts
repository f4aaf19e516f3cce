import type { Values } from '../contract/contract.ts';
import type { Conjunction } from '../judge/conjunction.ts';
import { type Finding, findingsOf } from '../judge/findings.ts';
import { gather, judgeCases } from '../judge/judge-cases.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { Observation } from '../record/observation.ts';
import { contract, planWith, type Reading, rightAnswer, sendAll } from './small-world.ts';

export const plan = planWith();
export type Options = { readonly trusted?: boolean; readonly times?: number; readonly of?: Plan };

export function causes(respond: (planned: PlannedCase) => Observation, options: Options = {}): readonly Finding[] {
  const { trusted = true, times = 2, of = plan } = options;
  const evidence = gather(sendAll(of, respond, times));
  const verdicts = judgeCases({ contract, plan: of, trusted }, of.cases.values(), evidence);
  return findingsOf(contract, verdicts, [], trusted);
}

/** What is found of a target that takes requests for others. */
export const misreading = (...readings: readonly Reading[]) =>
  causes(({ values }) => rightAnswer(readings.reduce((seen, read) => read(seen), values)));

/** What is found of a target that gives one other answer. */
export const answering = (where: (values: Values) => boolean, other: Observation) =>
  causes(({ values }) => (where(values) ? other : rightAnswer(values)));

/** `token.expired kind:OKTA`: the requirement's template and the conditions of each place. */
export const named = (findings: readonly Finding[]) =>
  findings.map(({ template, places }) => [template, ...places.map(shown).filter(Boolean)].join(' '));
export const shown = (place: Conjunction) => place.map(({ aspect, value }) => `${aspect}:${value}`).join('&');

export const expired = ({ validity }: Values) => validity === 'expired';
export const scoped = ({ family }: Values) => family !== 'none' && family !== 'unknown';
export const isGlobal = ({ kind }: Values) => kind === 'GLOBAL';
export const refuses = (values: Values) => rightAnswer(values).status >= 400;
