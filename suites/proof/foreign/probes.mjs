// One sequence of requests for each fault. Its last answer is `right` from the faithful implementation and `wrong` from
// the one with the fault. A function stands where the status does not tell the two apart.

/** Sends to the implementation that a .env describes, whose variables are `env`. */
export function sender(env) {
  const send = async (operation, { as, authorization, headers = {}, body = {}, query = '' }) => {
    const authorized = as ? `Bearer ${env[as]}` : authorization;
    const response = await fetch(`${env.TARGET_BASE_URL}/rest/api/v1/${operation}${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorized && { authorization: authorized }), ...headers },
      body: JSON.stringify({ query: 'garden', ...body }),
    });
    return { status: response.status, text: await response.text() };
  };
  return { env, search: (request) => send('search', request), chat: (request) => send('chat', request) };
}

const EXTERNAL = { 'x-service-auth-type': 'OAUTH' };
const acting = (email) => ({ 'x-service-actas': email });
const finds = (marker) => (answer, env) => answer.status === 200 && decode(answer).includes(env[marker]);
const misses = (marker) => (answer, env) => answer.status === 200 && !decode(answer).includes(env[marker]);
const says = (status, line) => (answer) => answer.status === status && messages(answer).includes(line);
const silent = (status, line) => (answer) => answer.status === status && !messages(answer).includes(line);

/** The text of an answer with the escapes of JSON resolved. */
function decode({ text }) {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Lines of text, texts of markup and strings of JSON, which a message can be. */
function messages(answer) {
  return decode(answer)
    .split(/[\r\n<>"]+/)
    .map((line) => line.trim());
}

/** A global token that acts as one person looks for what is private to the other. */
const GLOBAL_HUNT = {
  send: ({ env, search }) => search({ as: 'GLOBAL_TOKEN', headers: acting(env.ACT_AS_EMAIL), body: hunt(env, 'USER') }),
  right: misses('USER_PRIVATE_MARKER'),
  wrong: finds('USER_PRIVATE_MARKER'),
};

const PYTHON = {
  'request-id-missing': {
    send: ({ search }) => search({ as: 'USER_TOKEN' }),
    right: ({ text }) => typeof JSON.parse(text).requestId === 'string',
    wrong: ({ text }) => !('requestId' in JSON.parse(text)),
  },
  'unknown-email-403': {
    send: ({ env, search }) => search({ as: 'GLOBAL_TOKEN', headers: acting(env.UNKNOWN_EMAIL) }),
    right: says(401, 'Invalid identity'),
    wrong: says(403, 'Invalid identity'),
  },
  'global-reads-all': GLOBAL_HUNT,
  'identity-other-words': {
    send: ({ env, chat }) => chat({ as: 'GLOBAL_TOKEN', headers: acting(env.UNKNOWN_EMAIL) }),
    right: says(401, 'Invalid identity'),
    wrong: silent(401, 'Invalid identity'),
  },
  'auth-type-message-missing': {
    send: ({ search }) => search({ as: 'AZURE_TOKEN' }),
    right: says(412, 'Invalid Secret'),
    wrong: silent(412, 'Invalid Secret'),
  },
  'tampered-jwt-accepted': {
    send: ({ env, search }) => search({ authorization: `Bearer ${tampered(env.OAUTH_TOKEN)}`, headers: EXTERNAL }),
    right: 401,
    wrong: 200,
  },
  'auth-type-message-OKTA': {
    send: ({ chat }) => chat({ as: 'OKTA_TOKEN' }),
    right: says(412, 'Invalid Secret'),
    wrong: says(412, 'Invalid Secret.'),
  },
  'VERIFICATION-covers-chat': {
    send: ({ chat }) => chat({ as: 'USER_TOKEN_VERIFICATION' }),
    right: 403,
    wrong: 200,
  },
  'auth-type-optional-ONELOGIN': { send: ({ search }) => search({ as: 'ONELOGIN_TOKEN' }), right: 412, wrong: 200 },
  'scope-unchecked-GLOBAL-chat': {
    send: ({ env, chat }) => chat({ as: 'GLOBAL_TOKEN_SEARCH', headers: acting(env.ACT_AS_EMAIL) }),
    right: 403,
    wrong: 200,
  },
  'origin-localhost': {
    send: ({ search }) => search({ as: 'GOOGLE_TOKEN', headers: { origin: 'http://localhost' } }),
    right: 412,
    wrong: 200,
  },
  'original-url': {
    send: ({ search }) => search({ headers: { 'x-original-url': '/health' } }),
    right: 401,
    wrong: 200,
  },
  'text-plain': { send: ({ chat }) => chat({ headers: { 'content-type': 'text/plain' } }), right: 401, wrong: 200 },
  'email-plus-tag': {
    send: ({ env, search }) =>
      search({
        as: 'GLOBAL_TOKEN',
        headers: acting(env.ACT_AS_EMAIL.replace('@', '+tag@')),
        body: hunt(env, 'ACT_AS'),
      }),
    right: says(401, 'Invalid identity'),
    wrong: finds('ACT_AS_PRIVATE_MARKER'),
  },
  'header-underscore': {
    send: ({ env, search }) => search({ as: 'GLOBAL_TOKEN', headers: { X_Service_ActAs: env.ACT_AS_EMAIL } }),
    right: says(400, 'Required header missing: X-Service-ActAs'),
    wrong: 200,
  },
  'scheme-Token': {
    send: ({ env, search }) => search({ authorization: `Token ${env.USER_TOKEN}` }),
    right: 400,
    wrong: 200,
  },
  'answer-cache': {
    send: async ({ env, search }) => {
      await search({ as: 'USER_TOKEN', body: hunt(env, 'USER') });
      return search({ authorization: 'Bearer unknown', body: hunt(env, 'USER') });
    },
    right: 401,
    wrong: finds('USER_PRIVATE_MARKER'),
  },
  'scope-of-person': {
    send: async ({ search }) => {
      await search({ as: 'USER_TOKEN' });
      return search({ as: 'USER_TOKEN_CHAT' });
    },
    right: 403,
    wrong: 200,
  },
  'conversation-scope': {
    send: async ({ chat }) => {
      const { conversationId } = JSON.parse((await chat({ as: 'USER_TOKEN' })).text);
      return chat({ as: 'USER_TOKEN_SEARCH', body: { conversationId } });
    },
    right: 403,
    wrong: 200,
  },
  'every-tenth': {
    send: async ({ search }) => {
      for (let sent = 0; sent < 9; sent++) await search({ as: 'USER_TOKEN_CHAT' });
      return search({ as: 'USER_TOKEN_CHAT' });
    },
    right: 403,
    wrong: 200,
  },
};

const PERL = {
  'conversation-shared': {
    send: async ({ env, chat }) => {
      await chat({ as: 'USER_TOKEN', body: { ...hunt(env, 'USER'), conversationId: 'one' } });
      return chat({ as: 'GLOBAL_TOKEN', headers: acting(env.ACT_AS_EMAIL), body: { conversationId: 'one' } });
    },
    right: misses('USER_PRIVATE_MARKER'),
    wrong: finds('USER_PRIVATE_MARKER'),
  },
  'page-size-required': { send: ({ search }) => search({ as: 'USER_TOKEN' }), right: 200, wrong: 400 },
  'conversation-required': { send: ({ chat }) => chat({ as: 'USER_TOKEN' }), right: 200, wrong: 400 },
  'chat-needs-search': { send: ({ chat }) => chat({ as: 'USER_TOKEN_CHAT' }), right: 200, wrong: 403 },
  'scope-401': { send: ({ search }) => search({ as: 'USER_TOKEN_CHAT' }), right: 403, wrong: 401 },
  'global-acts-as-first': GLOBAL_HUNT,
  'results-object': {
    send: ({ search }) => search({ as: 'USER_TOKEN' }),
    right: ({ text }) => Array.isArray(JSON.parse(text).results),
    wrong: ({ text }) => !Array.isArray(JSON.parse(text).results),
  },
  'user-needs-act-as': { send: ({ search }) => search({ as: 'USER_TOKEN' }), right: 200, wrong: 400 },
  'scopes-swapped': { send: ({ search }) => search({ as: 'USER_TOKEN_SEARCH' }), right: 200, wrong: 403 },
  'missing-act-as-other-words': {
    send: ({ chat }) => chat({ as: 'GLOBAL_TOKEN' }),
    right: says(400, 'Required header missing: X-Service-ActAs'),
    wrong: says(400, 'Required header missing: X-Service-Act-As'),
  },
  'token-in-query': {
    send: ({ env, search }) => search({ query: `?access_token=${encodeURIComponent(env.USER_TOKEN)}` }),
    right: 401,
    wrong: 200,
  },
  'user-field': {
    send: ({ env, search }) => search({ as: 'USER_TOKEN', body: { ...hunt(env, 'ACT_AS'), user: env.ACT_AS_EMAIL } }),
    right: misses('ACT_AS_PRIVATE_MARKER'),
    wrong: finds('ACT_AS_PRIVATE_MARKER'),
  },
  'forwarded-for': {
    send: ({ search }) => search({ as: 'USER_TOKEN_CHAT', headers: { 'x-forwarded-for': '127.0.0.1' } }),
    right: 403,
    wrong: 200,
  },
  'scheme-none': { send: ({ env, search }) => search({ authorization: env.USER_TOKEN }), right: 400, wrong: 200 },
  'header-hyphen': {
    send: ({ env, search }) => search({ as: 'GLOBAL_TOKEN', headers: { 'x-service-act-as': env.ACT_AS_EMAIL } }),
    right: says(400, 'Required header missing: X-Service-ActAs'),
    wrong: 200,
  },
  'scheme-longer': {
    send: ({ env, search }) => search({ authorization: `Bearers ${env.USER_TOKEN}` }),
    right: 400,
    wrong: 200,
  },
  'expired-after-valid': {
    send: async ({ search }) => {
      await search({ as: 'USER_TOKEN' });
      return search({ as: 'USER_TOKEN_EXPIRED' });
    },
    right: 401,
    wrong: 200,
  },
  'one-person-public': GLOBAL_HUNT,
  'one-person-scope': {
    send: ({ env, search }) => search({ as: 'GLOBAL_TOKEN_CHAT', headers: acting(env.ACT_AS_EMAIL) }),
    right: 403,
    wrong: 200,
  },
  'token-percent-encoded': {
    send: ({ env, search }) => search({ authorization: `Bearer %76${env.USER_TOKEN.slice(1)}` }),
    right: 401,
    wrong: 200,
  },
};

export const PROBES = { python: PYTHON, perl: PERL };

/** The body that finds what is private to a person. */
function hunt(env, person) {
  return { query: env[`${person}_PRIVATE_QUERY`] };
}

/** A JWT with another signature. */
function tampered(jwt) {
  const [header, payload, signature] = jwt.split('.');
  return `${header}.${payload}.${[...signature].reverse().join('')}`;
}
