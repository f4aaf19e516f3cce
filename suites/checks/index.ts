import type { Check } from '../../harness/checks/check.ts';
import { administration } from './administration/index.ts';
import { alteration } from './alteration.ts';
import { authorizationFlow } from './authorization-server/flow.ts';
import { authorizationHost, authorizationServer } from './authorization-server/metadata.ts';
import { authorizationClient } from './authorization-server/registration.ts';
import { bursts, sideBySide } from './bursts.ts';
import { caches } from './caches.ts';
import { conversations } from './conversations.ts';
import { circumstances } from './documents/circumstances.ts';
import { escalation } from './documents/escalation.ts';
import { isolation } from './documents/isolation.ts';
import { pages } from './documents/pages.ts';
import { paging } from './documents/paging.ts';
import { eitherPerson } from './either-person.ts';
import { fuzz } from './fuzz.ts';
import { grammar } from './grammar.ts';
import { influences, otherPaths, sideDoors } from './influences.ts';
import { mcpAdmission } from './mcp/admission.ts';
import { mcpDiscovery } from './mcp/discovery.ts';
import { mcpHeaders } from './mcp/refusals.ts';
import { mcpTools } from './mcp/tools.ts';
import { nothingFound } from './nothing-found.ts';
import { optionalFields } from './optional-fields.ts';
import { presentation } from './presentation.ts';
import { exposure, protocol } from './protocol.ts';
import { everyTime, repetition } from './repetition.ts';
import { scopeOrder } from './scope-order.ts';
import { sequences } from './sequences.ts';
import { spellings } from './spellings.ts';
import { tampering } from './tampering.ts';
import { tokenPlaces } from './token-places.ts';

/** Every hand-written check, in the order in which a run takes them. */
export const checks: readonly Check[] = [
  isolation,
  escalation,
  circumstances,
  eitherPerson,
  influences,
  spellings,
  sideDoors,
  otherPaths,
  pages,
  caches,
  conversations,
  optionalFields,
  everyTime,
  paging,
  nothingFound,
  tokenPlaces,
  sequences,
  sideBySide,
  bursts,
  tampering,
  scopeOrder,
  repetition,
  presentation,
  alteration,
  fuzz,
  grammar,
  exposure,
  administration,
  authorizationServer,
  authorizationHost,
  authorizationClient,
  authorizationFlow,
  mcpAdmission,
  mcpHeaders,
  mcpDiscovery,
  mcpTools,
  protocol,
];
