import { rehearsalClock } from '../../harness/preview/rehearsal-clock.ts';
import { forecastOf } from '../../harness/preview/rehearse.ts';
import { noJournal } from '../../harness/record/journal.ts';
import { makeReport } from '../../harness/report/report.ts';
import { startSession } from '../../harness/run/start-session.ts';
import { catalogueOf } from '../../harness/settings/catalogue.ts';
import { readSettings } from '../../harness/settings/read-settings.ts';
import { casesAt, contract } from '../../harness/testing/contract.ts';
import { checks } from './checks.ts';

// A process that runs the suite like `run` with no flag, except that its pauses take no time. It sends everything over the
// network, and its parent gets what came of it. A process of its own, because Node reads NODE_EXTRA_CA_CERTS when it starts.
const settings = readSettings(catalogueOf(contract), { environment: process.env, dotenv: {}, now: Date.now() });
const options = { checks, casesAt, intrusive: settings.loopback };
const { chatLimit, stepsMs = [] } = await forecastOf(settings, options);
const clock = rehearsalClock();
const session = startSession(settings, { ...options, chatLimit, clock, journal: noJournal });
const problem = await session.preflight();
await session.sendAll();
const { ending, line, findings, undecided, counts } = makeReport(session, session.judge(), null);
await session.close();
const isSlow = new Set(contract.operations.flatMap(({ id, isSlow: slow }) => (slow ? [id] : [])));
const chats = session.sender.exchanges.filter(
  ({ case: id, step, observation }) =>
    isSlow.has(step?.operation ?? id.split('/')[0] ?? '') && observation.kind === 'answer' && observation.status < 300,
).length;
const forecastMs = stepsMs.reduce((sum, ms) => sum + ms, 0);
process.send?.({
  problem,
  ending,
  line,
  findings,
  undecided,
  counts,
  chats,
  chatLimit,
  lastsMs: clock.now(),
  forecastMs,
});
process.disconnect?.();
