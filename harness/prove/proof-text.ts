import { amount, counted } from '../contract/amounts.ts';
import { groupedBy } from '../contract/collections.ts';
import type { Contract } from '../contract/contract.ts';
import { suiteVersion } from '../record/journal.ts';
import { type Colors, joinedSections, marked, table } from '../render/amounts.ts';
import { type Faithful, isProven, isSpared, type Proof, type Tried } from './judge-servers.ts';

/** What `prove` prints. */
export function renderProof({ name, digest }: Contract, proof: Proof, colors: Colors): string {
  const { faithful, tried, unbroken } = proof;
  const caught = tried.filter(({ result }) => result === 'caught').length;
  const width = Math.max(...tried.map(({ what }) => what.length), KEEPS.length);
  const found = `${amount(caught)} of ${counted(tried.length, 'fault')} caught and blamed rightly`;
  const blamed = isSpared(faithful) ? '' : ', and the server that keeps it is blamed';
  const line = isProven(proof) ? `${name} can fail: ${found}` : `${name} is not proven: ${found}${blamed}`;
  return joinedSections([
    [colors.bold(`client-api-conformance ${suiteVersion}`) + colors.dim('  prove (nothing was sent)')],
    [
      colors.bold(marked(isProven(proof) ? 'good' : 'bad', line, colors)),
      ...table([['contract', `${name} (own contract ${digest})`]], colors),
    ],
    [
      colors.bold('Imagined servers'),
      faithfulRow(faithful, width, colors),
      ...tried.map((one) => triedRow(one, width, colors)),
    ],
    unbroken.length === 0 ? [] : [colors.bold('Not broken by any of them'), ...unbrokenLines(unbroken, colors)],
  ]);
}

/** Each reason once, with what it is the reason of. */
function unbrokenLines(unbroken: Proof['unbroken'], colors: Colors): readonly string[] {
  const byReason = groupedBy(unbroken, ({ reason }) => reason);
  return [...byReason].map(([reason, all]) => `  ${all.map(({ name }) => name).join(', ')}  ${colors.dim(reason)}`);
}

const KEEPS = 'keeps the contract';
const LONGEST_RESULT = 'blamed wrongly'.length;

function faithfulRow(faithful: Faithful, width: number, colors: Colors): string {
  const { blamed, ending, requests } = faithful;
  const isGood = isSpared(faithful);
  const rest = isGood ? counted(requests, 'request') : [`its run ends as ${ending}`, ...blamed.map(inWords)].join('; ');
  return rowOf({ isGood, result: isGood ? 'spared' : 'blamed', what: KEEPS, rest }, width, colors);
}

function triedRow({ what, breaks = '', result, blamed }: Tried, width: number, colors: Colors): string {
  const named = blamed.map(inWords).join(', ');
  const rest = {
    caught: breaks || named,
    missed: `wanted ${breaks || 'a finding'}`,
    'blamed wrongly': `wanted ${breaks}, got ${named}`,
  }[result];
  return rowOf({ isGood: result === 'caught', result, what, rest }, width, colors);
}

const inWords = ({ requirement, verdict }: Tried['blamed'][number]): string => `${requirement} (${verdict})`;

interface Row {
  readonly isGood: boolean;
  readonly result: string;
  readonly what: string;
  readonly rest: string;
}

function rowOf({ isGood, result, what, rest }: Row, width: number, colors: Colors): string {
  const sign = marked(isGood ? 'good' : 'bad', result.padEnd(LONGEST_RESULT), colors);
  return `  ${sign}  ${what.padEnd(width)}  ${colors.dim(rest)}`;
}
