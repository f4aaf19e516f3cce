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
  const rows = [faithfulRow(faithful), ...tried.map(triedRow)];
  const width = Math.max(...rows.map(({ what }) => what.length));
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
      ...rows.map(({ isGood, result, what, rest }) => {
        const sign = marked(isGood ? 'good' : 'bad', result.padEnd(LONGEST_RESULT), colors);
        return `  ${sign}  ${what.padEnd(width)}  ${colors.dim(rest)}`;
      }),
    ],
    unbroken.length === 0 ? [] : [colors.bold('Not broken by any of them'), ...unbrokenLines(unbroken, colors)],
  ]);
}

/** Each reason once, with what it is the reason of. */
function unbrokenLines(unbroken: Proof['unbroken'], colors: Colors): readonly string[] {
  const byReason = groupedBy(unbroken, ({ reason }) => reason);
  return [...byReason].map(([reason, all]) => `  ${all.map(({ name }) => name).join(', ')}  ${colors.dim(reason)}`);
}

const LONGEST_RESULT = 'blamed wrongly'.length;

interface Row {
  readonly isGood: boolean;
  readonly result: string;
  readonly what: string;
  readonly rest: string;
}

function faithfulRow(faithful: Faithful): Row {
  const { blamed, ending, requests } = faithful;
  const isGood = isSpared(faithful);
  const rest = isGood ? counted(requests, 'request') : [`its run ends as ${ending}`, ...blamed.map(inWords)].join('; ');
  return { isGood, result: isGood ? 'spared' : 'blamed', what: 'keeps the contract', rest };
}

function triedRow({ what, breaks = '', result, blamed }: Tried): Row {
  const named = blamed.map(inWords).join(', ');
  const rest = {
    caught: breaks || named,
    missed: `wanted ${breaks || 'a finding'}`,
    'blamed wrongly': `wanted ${breaks}, got ${named}`,
  }[result];
  return { isGood: result === 'caught', result, what, rest };
}

const inWords = ({ requirement, verdict }: Tried['blamed'][number]): string => `${requirement} (${verdict})`;
