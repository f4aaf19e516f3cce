import type { Call, CheckAnswer, CheckApi, RawCall } from '../../harness/checks/check.ts';
import { curlOf } from '../../harness/checks/check-curl.ts';
import type { VariationRow } from '../../harness/contract/variations.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import { noRedactor } from '../../harness/record/redact.ts';
import { sendVaried, type Varied } from '../checks/shared/send-varied.ts';
import { variationsOf } from '../variations/variation.ts';
import { engine, search } from './engine.ts';

export const credential = { token: 'a+b', shell: '$USER_TOKEN' } as Credential;
export const TYPED = { credential, headers: [['X-Service-Auth-Type', 'OAUTH']] } as const;
export const AIM = { shows: 'it is sent', wanted: 'either' } as const;

/** What an HTTP client is asked to send, or what is written to a socket. */
type Written = { readonly call: Call; readonly once: boolean } | { readonly raw: RawCall };

const GIVEN = { about: 'a test', source: 'spec', telling: 1 } as const;

async function written(rows: readonly Row[], changes: Partial<Varied> = {}): Promise<Written> {
  const { api, found } = asking();
  const variations = rows.flatMap(([kind, name, ...values]) =>
    variationsOf({ ...GIVEN, kind, name, values, ...ROWS[name] }, { token: '{token}' }),
  );
  await sendVaried(api, search, { base: TYPED, variations, ...AIM, ...changes });
  const [only] = found;
  if (!only) throw new Error('nothing was sent');
  return only;
}
/** A row of variations: its kind, its name and its values. */
export type Row = readonly [kind: VariationRow['kind'], name: string, ...values: readonly unknown[]];
const ROWS: Readonly<Record<string, Partial<VariationRow>>> = {
  'X-Debug': { with: { 'X-Beside': 'yes' } },
  'X-Raw': { raw: true },
  first: { in: 'before', raw: true },
  last: { in: 'behind', raw: true },
  token_form: { in: 'form' },
  token_cookie: { in: 'cookie' },
};

function asking() {
  const found: Written[] = [];
  const answered = Promise.resolve({} as CheckAnswer);
  const keep = (one: Written) => {
    found.push(one);
    return answered;
  };
  const { api } = engine(() => 'accepts', {
    call: (call) => keep({ call, once: false }),
    callOnce: (call, how) => keep({ call, once: how === 'same body' }),
    raw: (raw) => keep({ raw }),
  });
  return { api: api as CheckApi, found };
}

/** What an HTTP client is asked to send for these variations of the documented search. */
export const called = async (...given: Parameters<typeof written>) => {
  const sent = await written(...given);
  if (!('call' in sent)) throw new Error('it was written to a socket');
  return sent;
};
/** What is written to a socket for them. */
export const rawOf = async (...given: Parameters<typeof written>) => {
  const sent = await written(...given);
  if (!('raw' in sent)) throw new Error('an HTTP client sent it');
  return sent.raw;
};

/** The command line that a check shows of it. */
export const lineOf = ({ curl }: Pick<RawCall, 'curl'>): string =>
  curl((request, sentWith) => {
    const shown = sentWith ? ([[sentWith.token, sentWith.shell]] as const) : [];
    return curlOf(request, { extraHeaders: [], shown, redactor: noRedactor });
  });
