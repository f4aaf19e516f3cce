import { CAPABILITIES, type Capability, type Message } from '../contract/contract.ts';
import { allSuspects } from '../plan/expectation.ts';
import { MEASURES, type Measure } from '../settings/latency-limits.ts';
import { variableMeanings } from '../settings/variable-meanings.ts';
import { type About, aboutGroup, aboutValue, type ExplainContext, exampleCases, type Section } from './explain-case.ts';
import { aboutRule } from './explain-requirement.ts';

const MEANINGS: Readonly<Record<Measure, string>> = {
  p50: 'half of the accepted requests took no longer (the median)',
  p95: '95 % of the accepted requests took no longer',
  p99: '99 % of the accepted requests took no longer',
  max: 'no accepted request took longer',
};

const LATENCY_TERMS: readonly string[] = ['too slow', 'too-slow', 'latency', 'max latency', ...MEASURES];

/** Explains what reports print of the limits of `--max-latency`. */
const aboutLatency: About = (_context, id) => {
  const term = id.replace(/^--max-latency$/, 'max latency');
  if (!LATENCY_TERMS.includes(term)) return undefined;
  const measure = MEASURES.find((known) => known === term);
  return [
    {
      title: `Latency: ${term}`,
      rows: [
        ...(measure
          ? ([[measure, MEANINGS[measure]]] as const)
          : MEASURES.map((known) => [known, MEANINGS[known]] as const)),
        [
          'counts',
          'every accepted request to an operation, those of checks included; from the request to the end of the response',
        ],
        ['limit', '`run --max-latency p95=500`, in milliseconds; `chat:p95=5000` for one operation'],
        [
          'too slow',
          'exit 1: a limit is exceeded, and nothing deviates or is inconclusive. No requirement is affected',
        ],
      ],
    },
  ];
};

/**
 * Explains what reports print besides requirements, checks and cases: rules, scopes, kinds of token, capabilities,
 * operations, variables, messages, latency, values of a dimension, groups, and pairs of operation and kind.
 * @returns undefined if the id is none of them.
 */
export function aboutTerm(context: ExplainContext, id: string): readonly Section[] | undefined {
  for (const about of TERMS) {
    const sections = about(context, id);
    if (sections) return sections;
  }
  return undefined;
}

/** The ids of all terms, to suggest one. */
export function termIds({ contract, settings, plan }: ExplainContext): readonly string[] {
  const { rules, matrix, operations } = contract;
  return [
    ...rules.refusals.map((rule) => rule.id),
    ...matrix.scopes,
    ...Object.keys(matrix.kinds),
    ...CAPABILITIES,
    ...operations.map((operation) => operation.id),
    ...settings.catalogue.names,
    ...Object.keys(rules.messages),
    ...LATENCY_TERMS,
    ...plan().groups.map((group) => group.id),
  ];
}

const aboutRuleId: About = ({ contract, plan }, id) => {
  const rule = contract.rules.refusals.find((known) => known.id === id);
  if (!rule) return undefined;
  const deciding = [...plan().cases.values()].filter(({ expectation }) =>
    allSuspects(expectation).some(({ rule: known }) => known === id),
  );
  return [
    { title: `Rule ${id}`, rows: [['requirement', rule.requirement], ...aboutRule(contract, rule)] },
    exampleCases(deciding),
  ];
};

const aboutScope: About = ({ contract, settings }, id) => {
  if (!contract.matrix.scopes.includes(id)) return undefined;
  const covered = contract.operations.filter(({ scope }) => scope === id);
  const tokens = settings.catalogue.tokens.filter(
    ({ holding }) => holding === `only:${id}` || holding === `all-but:${id}`,
  );
  return [
    {
      title: `Scope ${id}`,
      rows: [
        ['covers', covered.map(({ method, path }) => `${method} ${path}`).join(', ') || 'no operation of this suite'],
        ['variables', tokens.map(({ name }) => name).join(', ')],
        ['requirements', covered.map((operation) => `scope.${operation.id}`).join(', ') || 'scope.sole'],
      ],
    },
  ];
};

export const FAMILY_MEANINGS: Readonly<Record<string, string>> = {
  none: 'a request without a token',
  unknown: 'a token that nobody issued',
  service: 'tokens that the service issues in its admin console',
  own: "OAuth tokens of the service's own authorization server",
  external: 'OAuth tokens of an external identity provider',
};

const aboutKind: About = ({ contract, settings, plan }, id) => {
  const kind = Object.hasOwn(contract.matrix.kinds, id) ? contract.matrix.kinds[id] : undefined;
  if (!kind) return undefined;
  const names = settings.catalogue.tokens.filter((token) => token.kind === id).map(({ name }) => name);
  return [
    {
      title: `Kind of token ${id}`,
      rows: [
        ['', FAMILY_MEANINGS[kind.family] ?? kind.family],
        ...(names.length > 0 ? [['variables', names.join(', ')] as const] : []),
      ],
    },
    exampleCases([...plan().cases.values()].filter(({ values }) => values.kind === id)),
  ];
};

const CAPABILITY_MEANINGS: Readonly<Record<Capability, string>> = {
  scopes: 'the target distinguishes each of its scopes; a token with one scope is needed for each of them',
  administration: 'the target has an admin console, and ADMINISTRATION_COMMAND uses it',
  'authorization-server': 'the target has an authorization server of its own, which describes itself',
  mcp: 'the target has a remote MCP server, at /mcp or at MCP_URL',
};

const aboutCapability: About = ({ contract }, id) => {
  const capability = CAPABILITIES.find((known) => known === id);
  if (!capability) return undefined;
  return [
    { title: `Capability ${id}`, rows: [['', CAPABILITY_MEANINGS[capability]]] },
    {
      title: 'What it brings with it',
      rows: [
        ...contract.requirements.flatMap((one) =>
          one.capability === id ? [[one.id, one.text ?? one.excluded ?? ''] as const] : [],
        ),
        ...contract.checks.flatMap((check) =>
          check.capability === id ? [[`check ${check.id}`, check.title] as const] : [],
        ),
      ],
    },
  ];
};

const aboutOperation: About = ({ contract, plan }, id) => {
  const operation = contract.operations.find((known) => known.id === id);
  if (!operation) return undefined;
  return [
    {
      title: `Operation ${id}`,
      rows: [
        ['request', `${operation.method} ${operation.path}`],
        ['scope', operation.scope],
        ['success', String(operation.success.status)],
      ],
    },
    exampleCases([...plan().cases.values()].filter(({ values }) => values.operation === id)),
  ];
};

/** A variable, also as command lines and masks write it: `$NAME`, `\${NAME}` and `<NAME>`. */
const aboutVariable: About = ({ settings, plan }, id) => {
  const name = id.replace(/^[$<]?\{?([A-Z][A-Z0-9_]*)\}?>?$/, '$1');
  const known = variableMeanings(settings.catalogue).find((variable) => variable.name === name);
  if (!known) return undefined;
  const users = [...plan().cases.values()].filter(({ credential }) => credential?.variable === name);
  return [{ title: `Variable ${name}`, rows: [['', known.means]] }, ...(users.length > 0 ? [exampleCases(users)] : [])];
};

const aboutMessage: About = ({ contract }, id) => {
  const message: Message | undefined = Object.hasOwn(contract.rules.messages, id)
    ? contract.rules.messages[id]
    : undefined;
  return (
    message && [
      {
        title: `Message ${id}`,
        rows: [
          ['text', message.text],
          ['requirement', message.requirement],
        ],
      },
    ]
  );
};

const TERMS: readonly About[] = [
  aboutRuleId,
  aboutScope,
  aboutKind,
  aboutCapability,
  aboutOperation,
  aboutVariable,
  aboutMessage,
  aboutLatency,
  aboutValue,
  aboutGroup,
];
