import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { aboutFinding } from '../harness/preview/explain-recorded.ts';
import { githubAnnotations, githubSummary } from '../harness/render/github.ts';
import { stepLines } from '../harness/render/step-lines.ts';
import { renderEnd } from '../harness/render/terminal.ts';
import { renderStart } from '../harness/render/terminal-start.ts';
import { writeReports } from '../harness/render/write-reports.ts';
import { makeReport } from '../harness/report/report.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { readSettings } from '../harness/settings/read-settings.ts';
import { casesAt, contract } from '../harness/testing/contract.ts';
import { serveHttp } from '../harness/testing/local-server.ts';
import { anyToken, FREE_SPELLINGS, finderOf, SPELLINGS } from '../harness/testing/spellings.ts';
import { isReadable, TRANSFORMATIONS } from '../harness/testing/transformations.ts';
import { checks } from './testing/checks.ts';
import { draws, seed } from './testing/draws.ts';

const catalogue = catalogueOf(contract);
const colors = pc.createColors(false);

const MARKER = 'the plan of Uma to leave';

/** Where a target shows the token that it received, spelled in some way. `origin` is its own address. */
type Place = (spelled: string, response: ServerResponse, origin: string) => void;
const PLACES: Readonly<Record<string, Place>> = {
  'the text of a refusal': (spelled, response) => response.writeHead(401).end(`no such token: ${spelled}`),
  'a refusal as JSON': (spelled, response) =>
    response.writeHead(403, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error: spelled })),
  'a refusal as HTML': (spelled, response) => response.writeHead(404).end(`<p title="${spelled}">${spelled}</p>`),
  'a key of a success': (spelled, response) => response.writeHead(200).end(JSON.stringify({ [spelled]: 1 })),
  'a documented value of a success': (spelled, response) =>
    response.writeHead(200).end(JSON.stringify({ results: spelled, trackingToken: spelled, [spelled]: spelled })),
  'the content type': (spelled, response) =>
    response.writeHead(401, { 'Content-Type': `text/plain; a="${spelled}"` }).end(),
  'the challenge': (spelled, response) =>
    response.writeHead(401, { 'WWW-Authenticate': `Bearer error_description="${spelled}"` }).end(),
  'Retry-After': (spelled, response) => response.writeHead(401, { 'Retry-After': spelled }).end(),
  'the reason phrase': (spelled, response) => response.writeHead(401, spelled).end(),
  'the location of a redirect': (spelled, response) =>
    response.writeHead(302, { Location: `https://elsewhere.example/?token=${spelled}` }).end(),
  'the headers that a report shows': (spelled, response) =>
    response.writeHead(405, { Allow: spelled, 'Cache-Control': spelled, Server: spelled, Via: `1.1 ${spelled}` }).end(),
  'headers, a piece in each': (spelled, response) => {
    const pieces = spelled.match(/.{1,11}/g) ?? [];
    const names = ['Allow', 'Cache-Control', 'Location', 'Server', 'Via'];
    const headers = Object.fromEntries(names.map((name, at) => [name, pieces[at] ?? 'none']));
    response.writeHead(401, headers).end();
  },
  'a key on the way to a private marker': (spelled, response) =>
    response.writeHead(200).end(JSON.stringify({ [spelled]: [{ text: MARKER, [spelled]: MARKER }] })),
  'an address of a discovery document': (spelled, response, origin) =>
    response
      .writeHead(401, {
        'WWW-Authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/${spelled}"`,
      })
      .end(),
};

/** What every discovery document says, with the token in each value. */
const metadata = (spelled: string, origin: string) =>
  JSON.stringify({
    resource: `${origin}/${spelled}`,
    authorization_servers: [origin],
    issuer: spelled,
    token_endpoint: `${origin}/${spelled}`,
    authorization_endpoint: spelled,
    [`${spelled}_endpoint`]: spelled,
    code_challenge_methods_supported: [spelled],
  });

interface Reflection {
  readonly token: string;
  /** How the next answer spells it. */
  readonly spell: (token: string) => string;
  readonly place: string;
}

/** Runs the suite against a target that shows the token, and returns everything that the run wrote or printed. */
async function outputsOf({ token, spell, place }: Reflection): Promise<ReadonlyMap<string, string>> {
  const server = await serveHttp((request: IncomingMessage, response) => {
    const spelled = spell(token);
    const origin = `http://${request.headers.host}`;
    if (request.url?.startsWith('/.well-known')) response.end(metadata(spelled, origin));
    else PLACES[place]?.(spelled, response, origin);
  });
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  const reportDir = join(folder, 'report');
  const environment = {
    TARGET_BASE_URL: server.url,
    CONFORMANCE_CLAIMS: 'user authorization-server',
    CONFORMANCE_REPORT_DIR: reportDir,
    USER_EMAIL: 'uma@people.example',
    USER_TOKEN: token,
    USER_PRIVATE_QUERY: 'what Uma wants to do',
    USER_PRIVATE_MARKER: MARKER,
  };
  const settings = readSettings(catalogue, { environment, dotenv: {} });
  const only = ['search/USER/valid/all/**', 'authorization-server', 'authorization-client', 'protocol'];
  const narrowing = { only, except: [], requirements: [] };
  const session = startSession(settings, { checks, casesAt, narrowing });
  try {
    const printed = [renderStart(session, '0', colors), (await session.preflight())?.line ?? ''];
    await session.sendMatrix();
    for (const check of session.checks) await session.runCheck(check);
    const report = makeReport(session, session.judge(), null);
    const files = writeReports(reportDir, report);
    printed.push(
      renderEnd(report, { file: files[0] }, colors),
      githubAnnotations(report).join('\n'),
      githubSummary(report),
    );
    for (const finding of report.findings)
      printed.push(JSON.stringify(aboutFinding(finding.id, report)), JSON.stringify(finding.steps.map(stepLines)));
    await session.close();
    const written = readdirSync(reportDir).map((file): [string, string] => [
      file,
      readFileSync(join(reportDir, file), 'utf8'),
    ]);
    expect(written.map(([file]) => [file, (statSync(join(reportDir, file)).mode & 0o777).toString(8)])).toEqual(
      written.map(([file]) => [file, '600']),
    );
    expect((statSync(reportDir).mode & 0o777).toString(8)).toBe('700');
    return new Map([...written, ['terminal', printed.join('\n')]]);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test.each(Object.keys(PLACES))(
  'no output shows a token that a target repeats in %s, however it spells it',
  async (place) => {
    const isFree = /refusal|success|marker/.test(place);
    const how = fc.constantFrom(...Object.keys(SPELLINGS), ...(isFree ? Object.keys(FREE_SPELLINGS) : []));
    await fc.assert(
      fc.asyncProperty(anyToken, how, async (token, spelling) => {
        const find = finderOf(token);
        const spell = { ...SPELLINGS, ...FREE_SPELLINGS }[spelling] ?? String;
        for (const [output, text] of await outputsOf({ token, spell, place }))
          expect([output, find(text), text.includes(MARKER)]).toEqual([output, undefined, false]);
      }),
      { ...draws(6), endOnFailure: true },
    );
  },
);

test.each(['the text of a refusal', 'a refusal as JSON', 'headers, a piece in each'])(
  'no output shows a token that a target spells in another way in every answer, in %s',
  async (place) => {
    const ways = fc.sample(fc.array(fc.constantFrom(...Object.keys(TRANSFORMATIONS)), { minLength: 1, maxLength: 3 }), {
      seed,
      numRuns: 2000,
    });
    const [token = ''] = fc.sample(anyToken, { seed, numRuns: 1 });
    let turn = 0;
    const spell = (plain: string) => {
      if (place.startsWith('headers')) return plain;
      turn += 1;
      return (ways[turn % ways.length] ?? []).reduce((inner, way) => TRANSFORMATIONS[way]?.spell(inner) ?? '', plain);
    };
    for (const [output, text] of await outputsOf({ token, spell, place }))
      expect([output, isReadable(text, token), finderOf(token)(text)]).toEqual([output, false, undefined]);
  },
);
