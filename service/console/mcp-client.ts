import { type Html, html } from '../pages/html.ts';
import { mcpScopes, mcpServer } from '../terms/operations.ts';

/** Where the scopes are chosen: what MCP is for, and how to connect a client that signs people in itself. */
export function mcpHint(apiUrl: string): Html {
  const tools = mcpScopes.filter((scope) => scope !== mcpServer.scope);
  return html`<details class="hint"><summary>What is MCP for?</summary>
<p>With MCP, a client of the Model Context Protocol can use this token. Its tools search and chat also need ${tools.join(' and ')}.
After the token is created, you get a line to paste into the configuration of the client.</p>
<p>A client that can sign people in needs no token. It needs this line only:</p>
<pre><code id="mcp-sign-in">${mcpConfiguration(apiUrl)}</code></pre>
<p><button type="button" class="button light" data-copy="mcp-sign-in" hidden>Copy line</button></p></details>`;
}

/**
 * The line for the configuration of a client, in the form that most clients read.
 *
 * @param headers absent for a client that signs people in
 */
export function mcpConfiguration(apiUrl: string, headers?: Readonly<Record<string, string>>): string {
  const server = { type: 'http', url: apiUrl + mcpServer.path, ...(headers && { headers }) };
  return JSON.stringify({ mcpServers: { 'client-api': server } });
}
