import type { Settings } from '../settings/settings.ts';
import type { PlannedCase } from './plan.ts';
import { buildRequest, type RequestParts } from './request.ts';

/**
 * A bash line that sends the request of a case again. Secrets and people stand in it as variables, so it can be shown;
 * it works where the `.env` is loaded: `set -a; . ./.env; set +a`.
 */
export function curlFor(
  parts: RequestParts,
  settings: Pick<Settings, 'variables' | 'extraHeaders'>,
  planned: PlannedCase,
): string {
  const named = (variable: string, otherwise: string) =>
    settings.variables.has(variable) ? `$${variable}` : otherwise;
  const known = settings.variables.has('ACT_AS_EMAIL') ? 'ACT_AS_EMAIL' : 'USER_EMAIL';
  const people = {
    actAs: '$ACT_AS_EMAIL',
    user: named('USER_EMAIL', 'nobody@conformance.invalid'),
    nobody: named(
      'UNKNOWN_EMAIL',
      settings.variables.has(known) ? `nobody-$RANDOM@\${${known}#*@}` : 'nobody-$RANDOM@example.com',
    ),
    nobodyElsewhere: 'nobody-$RANDOM@conformance.invalid',
  };
  const { method, path, headers, body } = buildRequest(
    { ...parts, people, common: [], unknownToken: '$(openssl rand -hex 32)' },
    planned.values,
    planned.credential?.shell ?? '',
  );
  const line = [
    'curl -sS -i',
    ...(method === 'POST' && body !== undefined ? [] : ['-X', method]),
    `"$TARGET_BASE_URL${path}"`,
  ];
  for (const [name, value] of headers) line.push('-H', value === '' ? `'${name};'` : `"${name}: ${value}"`);
  for (const [name] of settings.extraHeaders) line.push('-H', `"${name}: <its value in CONFORMANCE_EXTRA_HEADERS>"`);
  if (body !== undefined) line.push('-d', quoted(body));
  return line.join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
