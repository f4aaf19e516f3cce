import { leftOpen } from '../contract/citing-rules.ts';
import { groupedBy } from '../contract/collections.ts';
import { errorKind } from '../contract/configuration-error.ts';
import type { VariationKind } from '../contract/variations.ts';
import { type Decision, explaining } from '../record/exchange.ts';
import { isCommandLine } from '../record/journal.ts';
import type { Redactor } from '../record/redact.ts';
import type { Gate } from '../send/gate.ts';
import type { Lockout } from '../send/lockout.ts';
import { type Answered, outcomeOf } from './acceptance.ts';
import { byOthers, type Check, type CheckResult } from './check.ts';
import type { ConnectedApi } from './check-api.ts';

export interface CheckRun {
  readonly gate: Pick<Gate, 'closed'>;
  readonly redactor: Redactor;
  readonly lockout: Pick<Lockout, 'times'>;
  readonly connect: () => ConnectedApi;
  readonly asksFor: (requirement: string) => boolean;
}

/**
 * Runs a check. It runs again after the first lockout of the run, because its refusals until then may be of that lockout. If
 * it does not run to its end, its requirements stay undecided, so that they cannot pass.
 */
export async function runCheck(run: CheckRun, check: Check): Promise<readonly Decision[]> {
  const isFirst = run.lockout.times === 0;
  const found = await runOnce(run, check);
  return isFirst && run.lockout.times > 0 ? runOnce(run, check) : found;
}

async function runOnce({ gate, redactor, connect, asksFor }: CheckRun, check: Check): Promise<readonly Decision[]> {
  const own = { ...check, requirements: check.requirements.filter(asksFor) };
  const undecided = (reason: string) => notRun(own, redactor.text(reason));
  if (gate.closed !== undefined) return undecided(`not run: ${gate.closed}`);
  const api = connect();
  try {
    const asked = (await check.run(api)).filter(({ requirement }) => asksFor(requirement));
    const results = await Promise.all(asked.map(sentAgain));
    const found = results.map((result, at) => ({
      ...decisionOf(redactor, check, openOrDecided(api, seenOrUndecided(api, result))),
      ...variedIn(results, at),
      ...(api.triesInPart() && { inPart: true as const }),
    }));
    const closed: string | undefined = gate.closed;
    if (closed === undefined) return found;
    // The check may take missing answers for refusals, so that its passes do not count.
    return [
      ...found.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn'),
      ...undecided(`stopped early: ${closed}`),
    ];
  } catch (error) {
    return undecided(`the check threw an error: ${errorKind(error)}`);
  } finally {
    await api.close();
  }
}

/**
 * A wrong acceptance counts even if it does not come again. If the same request is refused then, other requests make the
 * difference, and what they do to one request they may do to any: that is one fault (outcomes 3).
 */
async function sentAgain(result: CheckResult): Promise<CheckResult> {
  const broke = result.verdict === 'fail' || result.verdict === 'warn' ? result.broke : undefined;
  if (!broke?.again || !broke.accepted || broke.step?.wanted !== 'refused') return result;
  const isRefused = outcomeOf(await broke.again()).kind === 'refused';
  return isRefused ? { ...byOthers(result), detail: `${result.detail}; sent again, it was refused` } : result;
}

/** With how many variations a check tried a law on one operation at least, for its first decision on the law. */
function variedIn(results: readonly CheckResult[], at: number): Pick<Decision, 'varied'> {
  const law = results[at]?.varied?.law;
  if (law === undefined || results.findIndex(({ varied }) => varied?.law === law) !== at) return {};
  const counts: Partial<Record<VariationKind, number>> = {};
  for (const operation of new Set(results.map((one) => one.operation))) {
    const all = results.flatMap((one) =>
      one.operation === operation && one.varied?.law === law ? one.varied.with : [],
    );
    const distinct = new Map(all.map((one) => [one.id, one]));
    const byKind = groupedBy(distinct.values(), ({ kind }) => kind);
    for (const [kind, found] of byKind) counts[kind] = Math.max(counts[kind] ?? 0, found.length);
  }
  return { varied: { law, counts } };
}

/** A marker counts as hidden only if its owner found it with the same operation in this run (outcomes 2). */
function seenOrUndecided(api: Pick<ConnectedApi, 'contract' | 'isUnseen'>, result: CheckResult): CheckResult {
  const owner = result.verdict === 'pass' && result.hides?.find((one) => api.isUnseen(result.operation, one));
  if (!owner) return result;
  const { requirement, operation, kind, steps } = result;
  const detail = `no ${operation} of its owner showed $${owner}_PRIVATE_MARKER, so that nothing was hidden`;
  const unit = { requirement, operation, kind, detail, steps };
  // A free body need not show what was found, and neither need a tool of the remote MCP server.
  return api.contract.operations.some(({ id, documentsBody }) => id === operation && documentsBody)
    ? { ...unit, verdict: 'inconclusive' }
    : { ...unit, verdict: 'observed', acceptance: 'claims no refusal', untried: true };
}

/** What the author of a contract left open breaks nothing, in whatever way a check asks for it. */
function openOrDecided({ contract }: Pick<ConnectedApi, 'contract'>, result: CheckResult): CheckResult {
  const { requirement, operation, kind, steps, verdict } = result;
  const reason = verdict === 'fail' || verdict === 'warn' ? leftOpen(contract, requirement, operation) : undefined;
  if (reason === undefined) return result;
  const detail = `${result.detail}; the contract leaves it open: ${reason}`;
  return { requirement, operation, kind, detail, steps, verdict: 'observed', acceptance: 'claims no refusal' };
}

/** What the journal keeps of a result: its answers by their place in the journal, and no secret. */
function decisionOf(redactor: Redactor, check: Check, result: CheckResult): Decision {
  const { requirement, operation, kind, verdict, detail } = result;
  const broke = 'broke' in result ? result.broke : undefined;
  const steps = withBroken(result.steps, broke);
  const seqs = steps.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
  // Nobody sends thousands of right answers again, and to make a line safe takes longer than to send its request.
  const commands = verdict === 'pass' ? {} : commandsOf(explaining(steps, broke?.seq));
  const curl = commands[`${broke?.seq}`];
  const head = { type: 'decision', check: check.id, requirement, operation, kind, verdict } as const;
  const { interpreted } = check;
  const common = {
    ...head,
    ...(interpreted !== undefined && { interpreted }),
    detail: redactor.text(detail),
    steps: seqs,
    ...(curl !== undefined && { curl }),
    ...(Object.keys(commands).length > 0 && { commands }),
  };
  switch (result.verdict) {
    case 'pass':
      return { ...common, acceptance: result.acceptance.seq };
    case 'observed':
      return {
        ...common,
        ...(result.acceptance !== 'claims no refusal' && { acceptance: result.acceptance.seq }),
        ...(result.untried && { untried: true }),
      };
    case 'fail':
    case 'warn': {
      const { wanted = broke?.step?.shows, got = broke && describeOutcome(broke), influence } = result;
      return {
        ...common,
        ...(broke?.seq !== undefined && { broke: broke.seq }),
        ...(wanted !== undefined && { wanted: redactor.text(wanted) }),
        ...(got !== undefined && { got: redactor.text(got) }),
        ...(influence !== undefined && { influence: redactor.text(influence) }),
      };
    }
    case 'inconclusive':
      return { ...common, ...(result.unseen && { unseen: true }) };
    case 'not-testable':
      return { ...common, ...(result.variable !== undefined && { variable: result.variable }) };
  }
}

/** The steps of a result, and the one that broke the requirement: a check may blame an answer that it does not list. */
function withBroken(steps: readonly Answered[], broke: Answered | undefined): readonly Answered[] {
  return broke === undefined || steps.some(({ seq }) => seq === broke.seq) ? steps : [...steps, broke];
}

/** The command lines of steps by their `seq`. A token in another spelling is left out of one, and what is left cannot be pasted. */
function commandsOf(steps: readonly Answered[]): Readonly<Record<string, string>> {
  const all = steps.map(({ seq, command }) => [`${seq}`, command?.() ?? ''] as const);
  return Object.fromEntries(all.filter(([, line]) => isCommandLine(line)));
}

function describeOutcome(answer: Answered): string {
  const outcome = outcomeOf(answer);
  return outcome.kind === 'lost' ? outcome.why : `${outcome.kind} with ${outcome.got}`;
}

/** The decisions of a check that did not run to its end: all its requirements are inconclusive. */
export function notRun({ id, requirements }: Pick<Check, 'id' | 'requirements'>, reason: string): readonly Decision[] {
  return requirements.map((requirement) => ({
    type: 'decision',
    check: id,
    requirement,
    operation: 'any',
    kind: 'any',
    verdict: 'inconclusive',
    detail: reason,
    steps: [],
  }));
}
