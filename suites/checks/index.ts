import type { Check, CheckRun } from '../../harness/checks/check.ts';
import { configurationError } from '../../harness/contract/configuration-error.ts';
import type { Contract } from '../../harness/contract/contract.ts';
import { administration } from './administration/index.ts';
import { authorizationClient, authorizationFlow } from './authorization-server/flow.ts';
import { authorizationHost, authorizationServer } from './authorization-server/metadata.ts';
import { bursts, sideBySide } from './bursts.ts';
import { caches } from './caches.ts';
import { conversations } from './conversations.ts';
import { circumstances } from './documents/circumstances.ts';
import { escalation } from './documents/escalation.ts';
import { isolation } from './documents/isolation.ts';
import { pages } from './documents/pages.ts';
import { paging } from './documents/paging.ts';
import { exposure } from './exposure.ts';
import { fuzz } from './fuzz.ts';
import { grammar } from './grammar.ts';
import { identity } from './identity.ts';
import { influences, otherPaths, sideDoors } from './influences.ts';
import { keptAnswers } from './kept-answers.ts';
import { mcpAdmission } from './mcp/admission.ts';
import { mcpDiscovery, mcpHeaders } from './mcp/refusals.ts';
import { mcpTools } from './mcp/tools.ts';
import { nothingFound } from './nothing-found.ts';
import { optionalFields } from './optional-fields.ts';
import { presentation } from './presentation.ts';
import { protocol } from './protocol.ts';
import { refusedMessages } from './refused-messages.ts';
import { eitherPerson, repetition } from './repetition.ts';
import { scopeOrder } from './scope-order.ts';
import { everyTime, sequences, turns } from './sequences.ts';
import { spellings } from './spellings.ts';
import { alteration, tampering } from './tampering.ts';
import { tokenPlaces } from './token-places.ts';

/** What each check does, by its id in checks.yaml. */
const RUNS: Readonly<Record<string, CheckRun>> = {
  identity,
  isolation,
  escalation,
  circumstances,
  'either-person': eitherPerson,
  influences,
  spellings,
  'side-doors': sideDoors,
  'other-paths': otherPaths,
  pages,
  caches,
  'kept-answers': keptAnswers,
  conversations,
  'optional-fields': optionalFields,
  'refused-messages': refusedMessages,
  'every-time': everyTime,
  paging,
  'nothing-found': nothingFound,
  'token-places': tokenPlaces,
  turns,
  sequences,
  'side-by-side': sideBySide,
  bursts,
  tampering,
  'scope-order': scopeOrder,
  repetition,
  presentation,
  alteration,
  fuzz,
  grammar,
  exposure,
  administration,
  'authorization-server': authorizationServer,
  'authorization-host': authorizationHost,
  'authorization-client': authorizationClient,
  'authorization-flow': authorizationFlow,
  'mcp-admission': mcpAdmission,
  'mcp-headers': mcpHeaders,
  'mcp-discovery': mcpDiscovery,
  'mcp-tools': mcpTools,
  protocol,
};

/** The hand-written checks of a contract, in the order in which a run takes them. */
export function checksOf({ checks }: Pick<Contract, 'checks'>): readonly Check[] {
  return checks.map((row) => {
    const run = RUNS[row.id];
    if (!run) throw configurationError(`checks.yaml: nobody wrote a check ${row.id}`);
    return { ...row, run };
  });
}
