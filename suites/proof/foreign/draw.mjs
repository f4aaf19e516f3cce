// Draws the faults of the two implementations from pool.mjs and writes faults.json. The seed is fixed, so that anybody
// can draw again and see that nobody chose. No fault is in both draws.
import { writeFileSync } from 'node:fs';
import { POOL } from './pool.mjs';

const SEED = 20261122;
const IMPLEMENTATIONS = ['python', 'perl'];
const CLASSES = Object.keys(POOL);
/** How many faults of each class an implementation gets. One more comes from any class. */
const COUNTS = { sentence: 10, influence: 3, spelling: 3, state: 3 };

const random = generator(SEED);
const drawn = new Set();
const faults = IMPLEMENTATIONS.flatMap((implementation) => {
  const classes = [...CLASSES.flatMap((name) => Array(COUNTS[name]).fill(name)), pick(CLASSES)];
  return classes.map((name) => draw(implementation, name));
});
writeFileSync(new URL('faults.json', import.meta.url), `${JSON.stringify(faults, null, 2)}\n`);

function draw(implementation, name) {
  const fault = pick(POOL[name].filter((one) => !drawn.has(one) && (one.only ?? implementation) === implementation));
  drawn.add(fault);
  const variant = pick(/\{(.*)\}/.exec(fault.id)?.[1].split('|') ?? ['']);
  return {
    implementation,
    id: fault.id.replace(/\{.*\}/, variant),
    class: name,
    ...(fault.sentence && { sentence: fault.sentence }),
    what: fault.what.replace('{}', variant),
  };
}

function pick(list) {
  return list[Math.floor(random() * list.length)];
}

/** Mulberry32: the same numbers from 0 to 1 for the same seed, on every machine. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
