import type { Check, CheckApi } from '../../../harness/checks/check.ts';
import { outcomeOf } from '../../../harness/checks/outcome.ts';
import { type Decided, inconclusive, observed, pass, warn } from '../shared/decision.ts';
import { objectIn } from '../shared/json-object.ts';
import { type Discovery, discover } from './discovery.ts';
import { advised, verdictOf } from './metadata.ts';

const FORGED = 'forged.invalid';
const FORGERIES: readonly (readonly (readonly [name: string, value: string])[])[] = [
  [['Host', FORGED]],
  [
    ['X-Forwarded-Host', FORGED],
    ['Forwarded', `host=${FORGED}`],
  ],
];

/** Where the metadata leads, and for whom tokens are. Sends no token but to the API. */
export const authorizationHost: Check = {
  id: 'authorization-host',
  title: 'A forged Host changes no address in the metadata, and a token has one audience',
  requirements: ['authorization-server.host', 'authorization-server.audience', 'reference.authorization-server'],
  capability: 'authorization-server',
  intrusive: false,
  async run(api) {
    const found = await discover(api);
    // The check `authorization-server` reports why it was not found.
    if (!found.server) return [];
    return [
      ...advised(api, 'authorization-server.host', await underForgedHost(api, found)),
      ...advised(api, 'authorization-server.audience', audienceOf(api, found)),
    ];
  },
};

async function underForgedHost(
  api: CheckApi,
  { control, serverMetadata, resourceMetadata }: Discovery,
): Promise<Decided> {
  for (const address of [serverMetadata, resourceMetadata])
    for (const headers of address === undefined ? [] : FORGERIES) {
      const names = headers.map(([name]) => name).join(' and ');
      const shows = `the metadata at its address does not follow a forged ${names}`;
      // A gateway may refuse the forged name.
      const answer = await api.visit({ url: new URL(address ?? ''), headers, shows, wanted: 'either' });
      if (outcomeOf(answer).kind === 'accepted' && answer.text.includes(FORGED))
        return warn(answer, `an address in the metadata follows a forged ${names}`);
    }
  return pass(control, 'no address in the metadata follows a forged Host');
}

/** RFC 9068 2.2: `aud` in a token that is a JWT. An opaque token does not show it. */
function audienceOf(api: CheckApi, { control }: Discovery): Decided {
  const [, payload = ''] = api.full('OAUTH')?.token.split('.') ?? [];
  const { aud } = objectIn(Buffer.from(payload, 'base64url').toString()) ?? {};
  if (aud === undefined) return observed('the token does not show its audience');
  const count = [aud].flat().length;
  if (count === 0) return inconclusive('the token has an empty list of audiences');
  const problem = count === 1 ? undefined : `$OAUTH_TOKEN has ${count} audiences`;
  return verdictOf(problem, '$OAUTH_TOKEN has one audience', { control, answer: undefined });
}
