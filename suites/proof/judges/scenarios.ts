/** What the official conformance suite must find of a server with two tools and nothing else. */
export type Expected =
  | { readonly kind: 'passes' }
  /** `checks` fail, because they ask for what an honest server has no reason to offer. All others pass. */
  | { readonly kind: 'passes except'; readonly checks: readonly string[]; readonly reason: string }
  | { readonly kind: 'left out'; readonly reason: string };

const passes: Expected = { kind: 'passes' };
const leftOut = (reason: string): Expected => ({ kind: 'left out', reason });
const testTool = (name: string) => leftOut(`It calls the test tool ${name}, which no honest server has.`);
const notOffered = (what: string) => leftOut(`The server offers no ${what}, and says so.`);
const extension = leftOut('It is of an extension that the server does not offer.');

/** The revisions of the protocol that the server is judged by. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;

export const serverScenarios: Readonly<Record<string, Expected>> = {
  'server-initialize': passes,
  'server-session-lifecycle': passes,
  'server-stateless': {
    kind: 'passes except',
    checks: [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
    ],
    reason: 'They call the test tools test_missing_capability, test_streaming_elicitation and test_logging_tool.',
  },
  'logging-set-level': notOffered('log messages'),
  ping: passes,
  'completion-complete': notOffered('completions'),
  'tools-list': passes,
  'tools-call-simple-text': testTool('test_simple_text'),
  'tools-call-image': testTool('test_image_content'),
  'tools-call-audio': testTool('test_audio_content'),
  'tools-call-embedded-resource': testTool('test_embedded_resource'),
  'tools-call-mixed-content': testTool('test_multiple_content_types'),
  'tools-call-with-logging': notOffered('log messages'),
  'tools-call-error': testTool('test_error_handling'),
  'tools-call-with-progress': testTool('test_tool_with_progress'),
  'tools-call-sampling': testTool('test_sampling'),
  'tools-call-elicitation': testTool('test_elicitation'),
  'json-schema-2020-12': testTool('json_schema_2020_12_tool'),
  'elicitation-sep1034-defaults': testTool('test_elicitation_sep1034_defaults'),
  'server-sse-polling': passes,
  'server-sse-multiple-streams': passes,
  'elicitation-sep1330-enums': testTool('test_elicitation_sep1330_enums'),
  'resources-list': notOffered('resources'),
  'resources-read-text': notOffered('resources'),
  'resources-read-binary': notOffered('resources'),
  'resources-templates-read': notOffered('resources'),
  'resources-subscribe': notOffered('resources'),
  'resources-unsubscribe': notOffered('resources'),
  'sep-2164-resource-not-found': passes,
  'sep-2640-skills-directory': extension,
  'sep-2640-skills-enumeration': extension,
  'sep-2640-skills-manifest': extension,
  'prompts-list': notOffered('prompts'),
  'prompts-get-simple': notOffered('prompts'),
  'prompts-get-with-args': notOffered('prompts'),
  'prompts-get-embedded-resource': notOffered('prompts'),
  'prompts-get-with-image': notOffered('prompts'),
  'dns-rebinding-protection': passes,
  caching: {
    kind: 'passes except',
    checks: [
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ],
    reason: 'The server offers no prompts and no resources, and says so.',
  },
  'http-header-validation': passes,
  'http-custom-header-server-validation': leftOut('No tool takes an argument from a header.'),
  'tasks-lifecycle': extension,
  'tasks-capability-negotiation': extension,
  'tasks-wire-fields': extension,
  'tasks-request-state-removal': extension,
  'tasks-mrtr-input': extension,
  'tasks-request-headers': extension,
  'tasks-dispatch-and-envelope': extension,
  'tasks-status-notifications': extension,
  'tasks-required-task-error': extension,
  'tasks-mrtr-composition': extension,
  'input-required-result-basic-elicitation': testTool('test_input_required_result_elicitation'),
  'input-required-result-basic-sampling': testTool('test_input_required_result_sampling'),
  'input-required-result-basic-list-roots': testTool('test_input_required_result_list_roots'),
  'input-required-result-request-state': testTool('test_input_required_result_request_state'),
  'input-required-result-multiple-input-requests': testTool('test_input_required_result_multiple_inputs'),
  'input-required-result-multi-round': testTool('test_input_required_result_multi_round'),
  'input-required-result-missing-input-response': passes,
  'input-required-result-non-tool-request': notOffered('prompts'),
  'input-required-result-result-type': testTool('test_input_required_result_elicitation'),
  'input-required-result-unsupported-methods': passes,
  'input-required-result-tampered-state': testTool('test_input_required_result_request_state'),
  'input-required-result-capability-check': testTool('test_input_required_result_capabilities'),
  'input-required-result-ignore-extra-params': passes,
  'input-required-result-validate-input': passes,
};

/** Every authorization server scenario. All must pass. */
export const authorizationScenarios = ['authorization-server-metadata-endpoint', 'authorization-code-grant'] as const;

/** What is wrong with a scenario; undefined if it is as expected. @param failed undefined if the scenario did not run */
export function problemOf(scenario: string, failed: readonly string[] | undefined): string | undefined {
  const expected = serverScenarios[scenario];
  if (!expected) return `${scenario} is not in the list of scenarios; add it`;
  switch (expected.kind) {
    case 'passes':
      return failed && failed.length > 0 ? `${scenario} fails: ${failed.join(', ')}` : undefined;
    case 'passes except': {
      const others = (failed ?? []).filter((id) => !expected.checks.includes(id));
      const stale = failed ? expected.checks.filter((id) => !failed.includes(id)) : [];
      if (others.length > 0) return `${scenario} fails: ${others.join(', ')}`;
      return stale.length > 0 ? `${scenario} now passes ${stale.join(', ')}; no longer except it` : undefined;
    }
    case 'left out':
      return failed && failed.length === 0 ? `${scenario} now passes; no longer leave it out` : undefined;
  }
}
