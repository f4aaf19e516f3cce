import { isPerson } from '../contract/people.ts';
import { UNSEEN } from '../contract/visible-text.ts';
import type { People } from '../plan/credentials.ts';
import { CERTIFICATE_OPTIONS, withoutHistory } from '../plan/curl.ts';
import type { WireRequest } from '../plan/request.ts';
import { LONGEST, type Redactor } from '../record/redact.ts';
import type { Route } from '../send/routes.ts';
import type { Settings } from '../settings/settings.ts';

/** What a command line must not show, with the bash expression that stands for it. */
export type Shown = readonly (readonly [value: string, shell: string])[];

/** The values of a run that a command line names by their variables. */
export function shownValues(
  { catalogue, variables }: Pick<Settings, 'catalogue' | 'variables'>,
  { nobody }: People,
): Shown {
  const named = [...variables].filter(([name]) => isPerson(catalogue.contract, name) || /_TOKEN|_PRIVATE_/.test(name));
  return [
    ...named.flatMap(([name, { value }]) => {
      const inJson = JSON.stringify(value).slice(1, -1);
      const plain = [value, `\${${name}}`] as const;
      return inJson === value ? [plain] : [plain, [inJson, `\${${name}//\\"/\\\\\\"}`] as const];
    }),
    [nobody, 'nobody-$RANDOM@conformance.invalid'],
  ];
}

/** How a request is sent, if not as curl does by itself: its further options, and whether `gzip` packs its body. */
export interface CurlForm {
  readonly options?: string;
  readonly isGzipped?: boolean;
}

/**
 * How curl takes a way to the target. Who reads a finding sets ADDRESS to the one that it names: a journal of somebody else
 * could bring a command line with any address.
 */
export function optionsFor(route: Route | undefined): string {
  if (route === undefined) return '';
  return 'address' in route ? ' --connect-to "::$ADDRESS:"' : ' --http2';
}

/** A bash command line that sends a request again; empty if it is too long to be shown. It names secrets and people by their variables, so it is safe to show. */
export function curlOf(
  { method, path, headers, body, options = '', isGzipped = false }: WireRequest & CurlForm,
  { baseUrl = '$TARGET_BASE_URL', extraHeaders, clientCertificate, shown, redactor }: CurlOptions,
): string {
  const length = path.length + headers.join().length + (body?.length ?? 0);
  if (length > LONGEST) return '';
  const written = (text: string, unseen = NOT_PRINTABLE) => redactor.text(quoted(text, shown, unseen));
  // Without -g, curl sends a request for each `[1-9]` and `{a,b}` in an address.
  const isPattern = /[[\]{}]/.test(baseUrl + path) ? '-g ' : '';
  const parts = () => [
    ...(body !== undefined && isGzipped ? [`printf %s "${written(body, UNSEEN)}" | gzip |`] : []),
    `curl -sS -i${options} -X ${method}`,
    `${isPattern}"${redactor.text(baseUrl + quoted(path, shown, NOT_PRINTABLE))}"`,
    ...(clientCertificate ? [CERTIFICATE_OPTIONS] : []),
    ...headers.map(([name, value]) => `-H "${written(value === '' ? `${name};` : `${name}: ${value}`)}"`),
    ...extraHeaders.map(([name]) => `-H "${written(name)}: <its value in CONFORMANCE_EXTRA_HEADERS>"`),
    ...(body === undefined ? [] : [isGzipped ? '--data-binary @-' : `--data-raw "${written(body, UNSEEN)}"`]),
  ];
  return redactor.together(parts).join(' ');
}
/** Headers and addresses are sent with a byte for each character, bodies in UTF-8. */
const NOT_PRINTABLE = /[^ -~]+/g;

interface CurlOptions extends Pick<Settings, 'extraHeaders' | 'clientCertificate'> {
  readonly baseUrl?: string;
  readonly shown: Shown;
  readonly redactor: Redactor;
}

/** A command line as it may be shown. One that the redactor would cut cannot be pasted: none is shown. */
export function shownLine(redactor: Redactor, line: string): string {
  return line.length > LONGEST ? '' : redactor.text(line, BEFORE_HEADER);
}

/** Requests share most of their headers. */
const BEFORE_HEADER = /(?= -H ")/;

/** A run of one letter or digit that is too long to be shown. */
export const LONG_RUN = /([a-z\d])\1{99,}/gi;

/** Such a run in bash, between double quotes. */
export function repeated(run: string): string {
  return `$(printf '%${run.length}s' | tr ' ' ${run[0]})`;
}

/** A text between double quotes, in which bash expands only the expressions of `shown`, and nothing is unseen. */
function quoted(text: string, shown: Shown, unseen: RegExp): string {
  // Most texts have none of the values, and a run writes thousands of them.
  const longestFirst = shown
    .filter(([value]) => value.length > 0 && text.includes(value))
    .sort(([a], [b]) => b.length - a.length);
  const split = (part: string, at: number): string => {
    const [value, shell] = longestFirst[at] ?? [];
    if (value === undefined || shell === undefined)
      return withoutHistory(part.replace(/[\\"`$]/g, '\\$&'))
        .replace(LONG_RUN, repeated)
        .replace(unseen, (found) => bytesOf(found, unseen === UNSEEN ? 'utf8' : 'latin1'));
    return part
      .split(value)
      .map((rest) => split(rest, at + 1))
      .join(shell);
  };
  return split(text, 0);
}

/** Bytes between double quotes, in any locale: `"$'\xc2\xa0'"`. A screen shows them, and the shell sends what they stand for. */
function bytesOf(text: string, charset: 'utf8' | 'latin1'): string {
  const bytes = Array.from(Buffer.from(text, charset), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
  return `"$'${bytes.join('')}'"`;
}
