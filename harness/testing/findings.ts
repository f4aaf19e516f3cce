import type { Values } from '../contract/contract.ts';
import type { Conjunction } from '../judge/conjunction.ts';
import { type Finding, findingsOf } from '../judge/findings.ts';
import { gather, judgeCases } from '../judge/judge-cases.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { Decision } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { contract, planWith, type Reading, rightAnswer, sendAll } from './small-world.ts';

export const plan = planWith();
export interface Options {
  readonly trusted?: boolean;
  readonly times?: number;
  readonly of?: Plan;
  readonly decisions?: readonly Decision[];
}

/** The findings about a target with these answers. */
export function causes(respond: (planned: PlannedCase) => Observation, options: Options = {}): readonly Finding[] {
  const { trusted = true, times = 2, of = plan, decisions = [] } = options;
  const evidence = gather(sendAll(of, respond, times));
  const verdicts = judgeCases({ contract, plan: of, trusted }, of.cases.values(), evidence);
  return findingsOf(contract, verdicts, decisions, trusted);
}

/** The findings about a target that takes requests for other ones. */
export const misreading = (...readings: readonly Reading[]) =>
  causes(({ values }) => rightAnswer(readings.reduce((seen, read) => read(seen), values)));

/** The findings about a target that gives one other answer to some requests. */
export const answering = (where: (values: Values) => boolean, other: Observation) =>
  causes(({ values }) => (where(values) ? other : rightAnswer(values)));

/** The template and the places of each finding: `token.expired kind:OKTA`. */
export const named = (findings: readonly Finding[]) =>
  findings.map(({ template, places }) => [template, ...places.map(shown).filter(Boolean)].join(' '));
export const shown = (place: Conjunction) => place.map(({ aspect, value }) => `${aspect}:${value}`).join('&');

export const expired = ({ validity }: Values) => validity === 'expired';
export const scoped = ({ family }: Values) => family !== 'none' && family !== 'unknown';
export const isGlobal = ({ kind }: Values) => kind === 'GLOBAL';
export const refuses = (values: Values) => rightAnswer(values).status >= 400;
