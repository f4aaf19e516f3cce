// Shows that each fault is one: sends the requests of its probe to the faithful implementation and to the one with the
// fault. Exits with 1 if the faithful answer is not right, or the other not wrong.
//
//   node suites/proof/foreign/check.mjs
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { PROBES, sender } from './probes.mjs';
import { FAULTS, withImplementation } from './start.mjs';

for (const { implementation, id } of FAULTS) {
  const probe = PROBES[implementation][id];
  const faithful = await answerTo(probe, implementation);
  const faulty = await answerTo(probe, implementation, id);
  const shown = isLike(probe.right, faithful) && isLike(probe.wrong, faulty);
  if (!shown) process.exitCode = 1;
  console.log(
    `${shown ? 'shown    ' : 'NOT SHOWN'} ${implementation} ${id}: ${faithful.status} becomes ${faulty.status}`,
  );
  if (!shown) console.log(faithful.text, '\n---\n', faulty.text);
}

function answerTo(probe, implementation, fault) {
  return withImplementation(implementation, fault, async (folder) => {
    const env = parse(readFileSync(join(folder, '.env')));
    return { ...(await probe.send(sender(env))), env };
  });
}

function isLike(wanted, answer) {
  return typeof wanted === 'number' ? answer.status === wanted : wanted(answer, answer.env);
}
