// Runs the suite against both implementations, faithful and with each of their faults, and writes results.txt.
//
//   node suites/proof/foreign/run.mjs              everything; a run takes about 20 seconds
//   node suites/proof/foreign/run.mjs --faithful   the faithful implementations only; prints, and writes nothing
//
// It needs dist/ (node build.mjs). A fault is caught if the suite blames what it does not blame in the faithful one.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAULTS, withImplementation } from './start.mjs';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const HEADINGS = ['implementation', 'fault', 'class', 'ending', 'exit', 'caught', 'blamed'];
const onlyFaithful = process.argv.includes('--faithful');

const rows = [HEADINGS];
for (const implementation of ['python', 'perl']) {
  const faithful = await report(implementation);
  const known = new Set(blames(faithful));
  add([implementation, '-', '-', faithful.ending, `${faithful.exitCode}`, '-', requirements(blames(faithful))]);
  const faults = onlyFaithful ? [] : FAULTS.filter((fault) => fault.implementation === implementation);
  for (const fault of faults) {
    const result = await report(implementation, fault.id);
    const blamed = blames(result).filter((blame) => !known.has(blame));
    const caught = blamed.length > 0 ? 'yes' : 'no';
    add([implementation, fault.id, fault.class, result.ending, `${result.exitCode}`, caught, requirements(blamed)]);
  }
}
if (!onlyFaithful) writeFileSync(new URL('results.txt', import.meta.url), table(rows));

/** The suite's report of a run, with the exit code that the process ended with. */
function report(implementation, fault) {
  return withImplementation(implementation, fault, async (folder) => {
    const { exitCode, errors } = await runSuite(folder);
    const file = join(folder, 'report', 'report.json');
    try {
      return { ...JSON.parse(readFileSync(file, 'utf8')), exitCode };
    } catch (cause) {
      throw new Error(`The suite ended with ${exitCode} and wrote no report. It said: ${errors}`, { cause });
    }
  });
}

/** Runs the suite in a folder with a .env. No variable of this process reaches it but those that start a program. */
function runSuite(folder) {
  const { PATH, HOME, SystemRoot } = process.env;
  return new Promise((resolve, reject) => {
    const suite = spawn(process.execPath, [MAIN, 'run', '--report-dir', 'report'], {
      cwd: folder,
      env: { PATH, HOME, SystemRoot, NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    suite.stderr.on('data', (text) => {
      errors += text;
    });
    suite.once('error', reject);
    suite.once('close', (exitCode) => resolve({ exitCode, errors }));
  });
}

/** Each failed requirement with each case that failed it. */
function blames({ findings }) {
  return findings
    .filter((finding) => finding.verdict === 'fail')
    .flatMap((finding) => finding.requirements.flatMap((id) => finding.cases.map((where) => `${id} ${where}`)));
}

function requirements(blamed) {
  return [...new Set(blamed.map((blame) => blame.split(' ')[0]))].join(', ') || '-';
}

function add(row) {
  rows.push(row);
  console.log(row.join('  '));
}

function table(all) {
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) => row.map((cell, column) => cell.padEnd(widths[column] + 2)).join('');
  return `${all.map((row) => line(row).trimEnd()).join('\n')}\n`;
}
