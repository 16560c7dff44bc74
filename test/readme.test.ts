// Runs what README.md and docs/ tell a newcomer to type, and compares docs/limits.md with the code.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_SESSIONS } from '../src/api/account/browser-session.ts';
import { SIGN_INS_PER_MINUTE } from '../src/api/account/sign-ins.ts';
import { MAX_BUCKETS } from '../src/api/calls/statistics.ts';
import { MAX_BODY, MAX_DEPTH, MAX_VALUES } from '../src/api/http/body.ts';
import { KEEP_MS } from '../src/api/http/idempotency.ts';
import { HEADERS_MS, KEEP_ALIVE_MS, MAX_HEADERS, REQUEST_MS } from '../src/api/http/server.ts';
import { MAX_ACCOUNTS, MAX_COOKIE_HEADER } from '../src/api/http/session-cookie.ts';
import { MAX_RINGING } from '../src/calls/operator/click-to-call.ts';
import { DEFAULT_SETTINGS } from '../src/domain/account.ts';
import { ACCOUNT_LIMITS, LIMIT_NAMES, limitText } from '../src/domain/account-limits.ts';
import { MAX_WORD, MAX_WORDS } from '../src/domain/past-call.ts';
import { FIELDS } from '../src/kinds/fields.ts';
import { DESTINATION_KINDS } from '../src/kinds/lists.ts';
import { MAX_FAULTS } from '../src/kinds/problem.ts';
import { MAX_EXCEPTIONS, MAX_WEEKLY } from '../src/kinds/time-group.ts';
import { LINK_MS, SESSION_MS } from '../src/kit/credentials.ts';
import { SCAN_LIMIT } from '../src/storage/sql/call-search.ts';
import { runProcess, type Service, startService } from './support/service.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A machine with Node and npm alone has no curl; CI has. */
function curlMissing(): boolean {
  if (spawnSync('curl', ['--version']).status === 0) return false;
  if (process.env['CI']) throw new Error('curl is not installed.');
  console.warn('\n!!! curl is not installed: the first session of docs/getting-started.md IS NOT TRIED.\n');
  return true;
}

describe('README.md and the pages for newcomers', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: { ACCESS_TOKEN: '', DEMO: 'on' } });
  });
  afterAll(() => service?.remove());

  it.skipIf(curlMissing())(
    'the first session creates an IVR and lists agents and IVRs, line by line as it stands',
    () => {
      const [, session = ''] =
        /## A first session[\s\S]*?```sh\n([\s\S]*?)```/.exec(read('docs/getting-started.md')) ?? [];
      const script = session
        .replaceAll('http://127.0.0.1:8080', service.url)
        .replaceAll('data/access-token', join(service.dataDir, 'access-token'));
      const out = execFileSync('sh', ['-ec', script], {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      expect(out).toContain('201 Created');
      expect(out).toContain('{"Success":true,"Message":"IVR created."}');
      expect(out).toContain('"intercom":"1001"');
      expect(out).toContain('"next_cursor":null');
    },
  );

  it('every command it names exists', async () => {
    const commands = [
      ...read('docs/command-line.md').matchAll(
        /^node bin\/dialtree\.js (\w+(?: (?:create|list|revoke)\b)?)/gm,
      ),
    ].map(([, words = '']) => words);
    expect(commands.length).toBeGreaterThan(4);
    const { out } = await runProcess(['help']);
    for (const words of commands) expect(out).toContain(`dialtree ${words.trim()}`);
  });

  it('every npm script and file it names exists', () => {
    const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
    for (const document of ['README.md', 'CONTRIBUTING.md', 'docs/quality.md']) {
      for (const [, name = ''] of read(document).matchAll(/npm run ([\w:]+)/g))
        expect(scripts).toContain(name);
    }
  });

  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  it.each(documents)('%s links only to files of this repository', (document) => {
    const missing = [...read(document).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(root, dirname(document), path)));
    expect(missing).toEqual([]);
  });

  it.each(documents)('%s names only files that exist', (document) => {
    const named = [
      ...read(document).matchAll(/`((?:src|test|console|bench|bin|docs|client)\/[\w./-]+\.(?:tsx?|js|md))`/g),
    ];
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)));
    // docs/adding-a-kind.md names files that a new kind would have.
    expect(missing.filter((path) => !path.includes('parking'))).toEqual([]);
  });

  it('docs/README.md leads to every page', () => {
    const index = read('docs/README.md');
    const pages = readdirSync(join(root, 'docs')).filter(
      (name) => name.endsWith('.md') && name !== 'README.md',
    );
    expect(pages.filter((name) => !index.includes(`(${name}`))).toEqual([]);
  });

  it('every threat and fault that the code cites is in docs/threat-model.md, every call rule in docs/call-rules.md', () => {
    const threats = new Set(
      [...read('docs/threat-model.md').matchAll(/^\| ([TR]\d+b?) \|/gm)].map(([, id]) => id),
    );
    const rules = new Set([...read('docs/call-rules.md').matchAll(/^(\d+)\. /gm)].map(([, id]) => id));
    const cited = ['src', 'test', 'console/src']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.tsx?$/.test(name))
          .map((name) => read(join(folder, name))),
      )
      .join('\n');
    const numbers = (expression: RegExp): string[] => [
      ...new Set([...cited.matchAll(expression)].map(([, id = '']) => id)),
    ];
    const citedThreats = numbers(/(?:\(|threats? |faults? |, )([TR]\d{1,2}b?)\b/g);
    const citedRules = numbers(/\brule (\d+)\b/g);
    expect(citedThreats.filter((id) => !threats.has(id))).toEqual([]);
    expect(citedRules.filter((id) => !rules.has(id))).toEqual([]);
    expect(citedThreats.length).toBeGreaterThan(20);
    expect(citedRules.length).toBeGreaterThan(5);
  });
});

describe('docs/menu.md', () => {
  const page = read('docs/menu.md');

  it('has a row for every field of a menu and every kind of destination', () => {
    for (const field of Object.keys(FIELDS.ivr)) expect(page).toContain(`| \`${field}\` |`);
    for (const kind of DESTINATION_KINDS) expect(page).toContain(`| \`${kind}\\|\\|`);
  });
});

describe('docs/limits.md', () => {
  it('has the values of the code', () => {
    const limits = read('docs/limits.md');
    const row = (name: string): string =>
      limits.split('\n').find((line) => line.includes(`\`${name}\``)) ?? '';
    expect(row('MAX_BODY')).toContain(`${MAX_BODY / 1024} KiB`);
    expect(row('MAX_HEADERS')).toContain(`${MAX_HEADERS / 1024} KiB`);
    expect(row('HEADERS_MS')).toContain(`${HEADERS_MS / 1000} s`);
    expect(row('REQUEST_MS')).toContain(`${REQUEST_MS / 1000} s`);
    expect(row('KEEP_ALIVE_MS')).toContain(`${KEEP_ALIVE_MS / 1000} s`);
    expect(row('MAX_DEPTH')).toContain(`| ${MAX_DEPTH} |`);
    expect(row('MAX_VALUES')).toContain(MAX_VALUES.toLocaleString('en'));
    expect(row('MAX_FAULTS')).toContain(`| ${MAX_FAULTS} |`);
    expect(row('MAX_EXCEPTIONS')).toContain(`| ${MAX_WEEKLY} / ${MAX_EXCEPTIONS}, `);
    expect(row('SCAN_LIMIT')).toContain(SCAN_LIMIT.toLocaleString('en'));
    expect(row('MAX_WORD')).toContain(`${MAX_WORD} characters`);
    expect(row('MAX_WORDS')).toContain(`| ${MAX_WORDS} |`);
    expect(row('MAX_BUCKETS')).toContain(MAX_BUCKETS.toLocaleString('en'));
    expect(row('SIGN_INS_PER_MINUTE')).toContain(`| ${SIGN_INS_PER_MINUTE} failures a minute`);
    expect(row('SESSION_MS')).toContain(`| ${SESSION_MS / 86_400_000} days`);
    expect(row('LINK_MS')).toContain(`${LINK_MS / 60_000} minutes`);
    expect(row('MAX_SESSIONS')).toContain(`| ${MAX_SESSIONS} |`);
    expect(limits).toContain(`| accounts of one browser | ${MAX_ACCOUNTS} |`);
    expect(row('MAX_COOKIE_HEADER')).toContain(`${MAX_COOKIE_HEADER / 1024} KiB`);
    expect(limits).toContain(`; ${MAX_RINGING} phones ringing at once`);
    expect(row('max_voicemails')).toContain(`| ${DEFAULT_SETTINGS.max_voicemails}, `);
    for (const name of LIMIT_NAMES) {
      const values = [ACCOUNT_LIMITS[name].fallback, ACCOUNT_LIMITS[name].first].map((value) =>
        typeof value === 'boolean' ? limitText(value) : value.toLocaleString('en'),
      );
      expect(limits).toContain(`| \`${name}\` | ${values.join(' | ')} |`);
    }
    expect(row('KEEP_MS')).toContain(`${KEEP_MS / 3_600_000} h`);
  });
});
