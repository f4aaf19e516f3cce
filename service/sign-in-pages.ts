import { createHash } from 'node:crypto';

const style = `
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1c2430; background: #f3f5f8; }
  main { max-width: 22rem; margin: 12vh auto 0; padding: 2rem; background: #fff; border-radius: 10px;
    box-shadow: 0 1px 4px #1c243026; }
  h1 { margin: 0 0 1rem; font-size: 1.25rem; }
  label { display: block; margin: 0 0 1rem; font-size: .9rem; }
  input { display: block; box-sizing: border-box; width: 100%; margin-top: .25rem; padding: .5rem; font: inherit;
    border: 1px solid #8893a5; border-radius: 6px; }
  button { padding: .5rem 1.25rem; font: inherit; border: 1px solid #1b5fc1; border-radius: 6px; color: #fff;
    background: #1b5fc1; cursor: pointer; }
  button.plain { color: #1b5fc1; background: #fff; }
  input:focus-visible, button:focus-visible { outline: 3px solid #8cb8f5; }
  .wrong { padding: .5rem .75rem; border-left: 4px solid #b3261e; background: #fcebea; }
  ul { padding-left: 1.25rem; }
`;

/** Headers for every page: no script, no frame around it, nothing kept (RFC 9700 4.16). */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
    "base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** @param again the email typed before, when it or its password was wrong */
export function loginPage(client: string, again?: string): string {
  return page(
    'Sign in',
    `<p>to continue to <strong>${escapeHtml(client)}</strong></p>
    ${again === undefined ? '' : '<p class="wrong" role="alert">Email or password is not right. Please try again.</p>'}
    <form method="post">
      <label>Email
        <input type="email" name="email" value="${escapeHtml(again ?? '')}" autocomplete="username" required autofocus>
      </label>
      <label>Password <input type="password" name="password" autocomplete="current-password" required></label>
      <button type="submit">Sign in</button>
    </form>`,
  );
}

export interface Consent {
  client: string;
  person: string;
  /** What the client would reach: each resource with the scopes asked for. */
  access: readonly { resource: string; scopes: readonly string[] }[];
}

export function consentPage({ client, person, access }: Consent): string {
  const rows = access.map(
    ({ resource, scopes }) =>
      `<li>${scopes.map(escapeHtml).join(', ')}<br><small>at ${escapeHtml(resource)}</small></li>`,
  );
  return page(
    'Allow access?',
    `<p><strong>${escapeHtml(client)}</strong> asks to act for you, <strong>${escapeHtml(person)}</strong>${
      rows.length > 0 ? ', with these scopes:' : '.'
    }</p>
    <ul>${rows.join('')}</ul>
    <form method="post">
      <button type="submit" name="decision" value="allow">Allow</button>
      <button type="submit" name="decision" value="deny" class="plain">Deny</button>
    </form>`,
  );
}

export function errorPage(message: string): string {
  return page('This did not work', `<p class="wrong" role="alert">${escapeHtml(message)}</p>`);
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <style>${style}</style>
</head>
<body>
  <main>
    <h1>${title}</h1>
    ${content}
  </main>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
