import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ForeignServer, ServerToJudge } from './foreign-server.ts';
import { runIn, unpackDebian } from './packages.ts';
import { freePort, startProgram } from './start-program.ts';

const debian = { name: 'redmine', version: '5.0.4-5+deb12u1', beside: ['redmine-sqlite', 'puma'] };

export const redmine: ServerToJudge = {
  ...debian,
  start,
  warnings: ['rfc.secret-echo', 'rfc.allow'],
  faults: [
    {
      what: 'everybody may act as others',
      breaks: 'act-as.no-escalation',
      ...{ takes: 'PERSONAL_TOKEN', for: 'ADMIN_TOKEN', header: ['x-redmine-switch-user'] },
    },
    {
      what: 'everybody reads the issues of a project that is for few',
      breaks: 'scope.issues',
      ...{ takes: 'PERSONAL_TOKEN_UNSCOPED', for: 'PERSONAL_TOKEN', path: '/projects/notes/issues.json' },
    },
    {
      what: 'X-Forwarded-For makes people administrators',
      breaks: 'identity.own',
      ...{ takes: 'PERSONAL_TOKEN', for: 'ADMIN_TOKEN', header: ['x-forwarded-for', '127.0.0.1'] },
    },
  ],
};

/** What Ruby does with a fresh database: three people, an administrator and a project for two of them. */
const SEED = `
  Setting.rest_api_enabled = '1'
  Setting.login_required = '1'
  key_of = lambda do |login, is_admin, project|
    user = User.new(firstname: login, lastname: 'Test', mail: "#{login}@example.test", language: 'en')
    user.login = login
    user.admin = is_admin
    user.password = user.password_confirmation = SecureRandom.hex
    user.save!
    Member.create!(principal: user, project: project, roles: [Role.find_by_name('Reader')]) if project
    user.api_key
  end
  Role.create!(name: 'Reader', permissions: [:view_issues])
  notes = Project.create!(name: 'Notes', identifier: 'notes', is_public: false, enabled_module_names: ['issue_tracking'])
  puts({
    ADMIN_TOKEN: key_of.('root', true, nil),
    PERSONAL_TOKEN: key_of.('uma', false, notes),
    PERSONAL_TOKEN_UNSCOPED: key_of.('carl', false, nil),
    ALAN: key_of.('alan', false, notes)
  }.to_json)
`;

async function start(folder: string): Promise<ForeignServer> {
  const root = unpackDebian(debian);
  const url = `http://127.0.0.1:${await freePort()}`;
  const application = join(folder, 'redmine');
  layOut(root, application);
  const env = environmentIn(root, folder);
  const ruby = join(root, 'usr/bin/ruby3.1');
  const bundled = [ruby, '-S', 'bundle3.1', 'exec', ruby] as const;
  runIn(application, [...bundled, '-S', 'rake3.1', 'db:migrate'], env);
  writeFileSync(join(folder, 'seed.rb'), SEED);
  const printed = runIn(application, [...bundled, 'bin/rails', 'runner', join(folder, 'seed.rb')], env);
  const close = await startProgram(
    [...bundled, '-S', 'puma', '--bind', url.replace('http', 'tcp'), 'config.ru'],
    application,
    url,
    env,
  );
  const people = { USER_LOGIN: 'uma', ACT_AS_LOGIN: 'alan', ADMIN_LOGIN: 'root' };
  return { env: { TARGET_BASE_URL: url, ...JSON.parse(printed), ...people }, close };
}

/** The files of Redmine, with links of Debian replaced by folders of the server. */
function layOut(root: string, application: string): void {
  cpSync(join(root, 'usr/share/redmine'), application, { recursive: true, verbatimSymlinks: true });
  for (const link of ['instances', 'Gemfile.lock', 'config/database.yml']) rmSync(join(application, link));
  const instance = join(application, 'instances/default');
  mkdirSync(join(instance, 'config'), { recursive: true });
  mkdirSync(join(instance, 'log'));
  writeFileSync(
    join(instance, 'config/database.yml'),
    // Redmine sends mail in a thread of its own, which may hold the database.
    `production: { adapter: sqlite3, timeout: 10000, database: ${JSON.stringify(join(instance, 'redmine.sqlite3'))} }`,
  );
  writeFileSync(join(application, 'Gemfile.local'), "gem 'sqlite3'\ngem 'puma'\n");
}

/** Lets Ruby find itself and its packages below another root. */
function environmentIn(root: string, home: string): Record<string, string> {
  const below = (...folders: string[]) => folders.map((folder) => join(root, folder)).join(':');
  const libraries = 'usr/lib/x86_64-linux-gnu';
  const gems = 'usr/share/rubygems-integration/all';
  return {
    HOME: home,
    RAILS_ENV: 'production',
    SECRET_KEY_BASE: randomBytes(32).toString('hex'),
    LD_LIBRARY_PATH: below(libraries),
    RUBYLIB: below(
      ...['usr/lib/ruby/vendor_ruby', `${libraries}/ruby/vendor_ruby/3.1.0`],
      ...['usr/lib/ruby/3.1.0', `${libraries}/ruby/3.1.0`],
    ),
    GEM_HOME: below(gems),
    GEM_PATH: below(
      gems,
      'usr/share/rubygems-integration/3.1.0',
      `${libraries}/rubygems-integration/3.1.0`,
      'usr/lib/ruby/gems/3.1.0',
      'var/lib/gems/3.1.0',
    ),
    PATH: `${below('usr/bin')}:${process.env['PATH']}`,
  };
}
