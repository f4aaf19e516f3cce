// The documented rows of the contract, one test each: kind of token, header, expiry and scope give status and message.
// This is a readable part of the suite. `npm run conformance` sends far more, and says how the answers fit together.
import { afterAll, describe, test } from 'vitest';
import { noJournal } from '../harness/record/journal.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { casesAt, contract } from '../harness/testing/contract.ts';
import { chooseTarget } from './choose-target.ts';
import { askRow, describeJudgement, documentedRows } from './testing/documented-rows.ts';
import { failWith } from './testing/fail-with.ts';

const { settings, close } = await chooseTarget(catalogueOf(contract), casesAt, {
  flags: { CONFORMANCE_DEPTH: 'core' },
});
const session = startSession(settings, { checks: [], casesAt, journal: noJournal });
const rows = documentedRows(session);
// conformance.test.ts fails once for a target that cannot be tested, and says why.
const problem = await session.preflight();
if (problem) console.log(`not sent: ${session.redactor.text(problem.line)}`);

afterAll(async () => {
  await session.close();
  await close();
});

for (const { id, method, path } of contract.operations)
  describe.skipIf(problem)(`${method} ${path} with`, () => {
    for (const { title, planned, lack, case: found } of rows) {
      if (found.values.operation !== id) continue;
      if (planned)
        test(title, async () => {
          const judgement = await askRow(session, planned);
          if (judgement?.kind !== 'pass') failWith(describeJudgement(session, planned, judgement));
        });
      else if (lack?.isRequired) test(title, () => failWith(`not tested: set ${lack.text}`));
      else test.todo(`${title} (not tested: set ${lack?.text})`);
    }
  });
