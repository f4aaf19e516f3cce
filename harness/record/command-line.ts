/**
 * Whether a text is one of the command lines that plans and checks make, so that a person can paste it: it sends one
 * request to the target, or one without variables to another server, and runs, reads and writes nothing else. A journal
 * may come from somebody else, and a target chooses the addresses of other servers.
 */
export function isCommandLine(text: string): boolean {
  // A shell expands the history in each line that is pasted, whatever quotes the lines before have opened.
  // What the redactor left out (redact.ts) cannot be sent again.
  if (/[\r\n]|<left out: /.test(text)) return false;
  return CURL.test(text) || PACKED.test(text) || VISIT.test(text) || SOCKET.test(text);
}

/** The names of the variables that a command line may contain, and perhaps more. */
export function variablesIn(line: string): readonly string[] {
  return [...line.matchAll(/\\[\s\S]|\$\{?([A-Za-z_]\w*)/g)].flatMap(([, name]) => name ?? []);
}

/** Text in single quotes, with `'` as `'\''`; and in those of `$'...'`. */
const SINGLE = String.raw`'[^']*'(?:\\''[^']*')*`;
const ESCAPED = String.raw`\$'(?:[^'\\]|\\[\s\S])*'`;
/**
 * A part of a text in double quotes: it may name variables, and runs only one command. In double quotes, an interactive
 * shell replaces `!!` by the last command, so `!` is in single quotes (curl.ts).
 */
const VALUE = String.raw`\\[\\"\u0060$]|"'!'"|\$[A-Za-z_]\w*(?!\w)|\$\{[A-Z0-9_]+(?::\d+){0,2}(?:#\*@|//\\"/\\\\\\")?\}|\$\(openssl rand -hex 32\)|\$\(printf '%\d+s' \| tr ' ' [A-Za-z\d]\)|\$(?![\w({\[$'"])`;
const INSIDE = String.raw`(?:[^"\\\u0060$!]|${VALUE})*`;
/** curl sends a request for each `[1-9]` and `{a,b}` in an address, unless it has the option -g. */
const ADDRESS = String.raw`(?:[^"\\\u0060$!{}[\]]|${VALUE})*`;
const TO_TARGET = String.raw`\$(?:TARGET_BASE_URL(?=[/?"])|MCP_URL(?="))`;
const URL = `(?:"${TO_TARGET}${ADDRESS}"|-g "${TO_TARGET}${INSIDE}")`;
/** curl would read a value that begins with @ from a file, except that of --data-raw. */
const OPTION = `--cert "\\$CONFORMANCE_CLIENT_CERT" --key "\\$CONFORMANCE_CLIENT_KEY"|-H "(?!@)${INSIDE}"|-H (?!'@)${SINGLE}|-d (?!'@)${SINGLE}|--data-raw ${ESCAPED}|--data-raw "${INSIDE}"`;

const CURL = new RegExp(
  `^curl -sS -i(?: --http1\\.0)?(?: --path-as-is)?(?: -X [A-Za-z-]+)? ${URL}(?: (?:${OPTION}))*$`,
);
/** A body that is compressed. */
const PACKED = new RegExp(
  `^printf ${ESCAPED} \\| gzip \\| curl -sS -i(?: -X [A-Z]+)? ${URL}(?: (?:${OPTION}))* --data-binary @-$`,
);
/** A request to another server, such as the authorization server. It names no variable, so it cannot send a token there. */
const ELSEWHERE = String.raw`(?:"https?://(?:[^\s"\\\u0060$!{}[\]]|"'!'")*"|-g "https?://(?:[^\s"\\\u0060$!]|"'!'")*")`;
const WITHOUT_VARIABLES = String.raw`-H "(?!@)(?:[^"\\\u0060$!]|"'!'")*"|-H (?!'@)${SINGLE}|-d (?!'@)${SINGLE}|--data-raw ${ESCAPED}`;
const VISIT = new RegExp(`^curl -sS -i(?: -X [A-Z]+)? ${ELSEWHERE}(?: (?:${WITHOUT_VARIABLES}))*$`);
const SOCKET = new RegExp(String.raw`^printf ${ESCAPED} \| nc <host and port of TARGET_BASE_URL>$`);
