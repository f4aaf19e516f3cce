import { describe, expect, test } from 'vitest';
import { readConfiguration } from './configuration.ts';

const problems = (environment: Record<string, string>) => {
  const read = readConfiguration(environment);
  return read.ok ? [] : read.problems;
};

describe('the configuration', () => {
  test('is empty without our variables, and ignores those of other programs', () => {
    const others = { PATH: '/bin', HOME: '/', LANG: 'C', DB_URL: 'x', DATABASE_USER: 'x', PGDATABASE: 'x', LEVEL: '1' };
    expect(readConfiguration({ ...others, UNSET: undefined })).toEqual({ ok: true, configuration: {} });
  });

  test('has the values of the variables', () => {
    const read = readConfiguration({
      DATABASE_URL: 'file:client-api.db',
      DATABASE_KEY: 'correct horse battery staple',
      KEY_ROTATION_DAYS: '30',
      LOG_LEVEL: 'warn',
      RATE_LIMIT: '600',
      PUBLIC_URL: 'https://api.example.com',
      AUTHORIZATION_SERVER_URL: 'http://127.0.0.1:8081',
      CLIENT_ID_METADATA_DOCUMENTS: 'on',
      IDENTITY_PROVIDERS: 'providers.yaml',
    });
    expect(read).toEqual({
      ok: true,
      configuration: {
        database: 'file:client-api.db',
        databaseKey: 'correct horse battery staple',
        keyRotationDays: 30,
        logLevel: 'warn',
        requestsPerMinute: 600,
        publicUrl: 'https://api.example.com',
        authorizationServerPublicUrl: 'http://127.0.0.1:8081',
        clientIdMetadataDocuments: true,
        identityProviderFile: 'providers.yaml',
      },
    });
  });

  test.each([
    ['KEY_ROTATION_DAYS', '0'],
    ['KEY_ROTATION_DAYS', '3651'],
    ['KEY_ROTATION_DAYS', '1.5'],
    ['LOG_LEVEL', 'verbose'],
    ['RATE_LIMIT', '0'],
    ['RATE_LIMIT', '-5'],
    ['RATE_LIMIT', '1.5'],
    ['RATE_LIMIT', 'often'],
    ['PUBLIC_URL', 'api.example.com'],
    ['PUBLIC_URL', 'ftp://api.example.com'],
    ['PUBLIC_URL', 'https://api.example.com/'],
    ['PUBLIC_URL', 'https://api.example.com/base'],
  ])('has a problem in one line for %s=%j', (name, value) => {
    expect(problems({ [name]: value })).toEqual([
      expect.stringMatching(`^${name} is ${JSON.stringify(value)}, wanted `),
    ]);
  });

  test.each([
    ['DATABASE_URL', ''],
    ['DATABASE_URL', 'file:'],
    ['DATABASE_KEY', ''],
    ['DATABASE_KEY', 'fifteen letters'],
    ['DATABASE_URL', 'postgres://somewhere'],
    ['DATABASE_URL', 'postgres://u:s3cret@db/x'],
    ['DATABASE_URL', 'libsql://db.example?authToken=s3cret'],
    ['AUTHORIZATION_SERVER_URL', 'https://u:s3cret@login.example.com'],
  ])('has a problem that does not show a possible secret for %s=%j', (name, value) => {
    expect(problems({ [name]: value })).toEqual([
      expect.stringMatching(`^${name} is invalid \\(not shown, because it may contain a secret\\), wanted `),
    ]);
  });

  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['RATELIMIT', 'RATE_LIMIT'],
    ['RATE_LIMITS', 'RATE_LIMIT'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['AUTHORISATION_SERVER_URL', 'AUTHORIZATION_SERVER_URL'],
  ])('has a problem for the misspelt name %s and suggests %s', (name, suggestion) => {
    expect(problems({ [name]: 'anything' })).toEqual([`the environment sets ${name}; did you mean ${suggestion}?`]);
  });

  test('reports all problems together', () => {
    expect(problems({ LOG_LEVEL: 'x', RATE_LIMIT: 'x', DATABASE_UR: 'x' })).toHaveLength(3);
  });
});
