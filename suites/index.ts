import type { Check } from '../harness/check.ts';
import { bursts } from './bursts.ts';
import { isolation } from './isolation.ts';
import { paging } from './paging.ts';
import { properties } from './properties.ts';
import { protocol } from './protocol.ts';
import { sequences } from './sequences.ts';
import { tampering } from './tampering.ts';

/** Every hand-written check, in the order in which a run takes them. */
export const checks: readonly Check[] = [isolation, paging, protocol, sequences, bursts, tampering, properties];
