// The import table of ARCHITECTURE.md, enforced. A folder may import what its row names, and nothing else of ours.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { mayOf, RULES } from './support/import-rules.ts';

const src = fileURLToPath(new URL('../src', import.meta.url));

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [
    ...text.matchAll(/^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\('([^']+)'\)/gms),
  ].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
}

/** Folders named testing hold what tests share: random flows, a switchboard on fake telephony. */
const isTest = (file: string): boolean => /\.(test|contract)\.ts$|\/(flow|calls)\/testing\//.test(file);
const sources = filesBelow(src).filter((file) => file.endsWith('.ts') && !isTest(file));

const consoleSources = fileURLToPath(new URL('../console/src', import.meta.url));
/** Folders that the console may import. Examples and assets are imported as sound files of their own only. */
const CONSOLE_MAY = [
  'console/src/',
  'src/flow/',
  'src/domain/',
  'src/kinds/',
  'client/',
  'examples/recordings/',
  'assets/prompts/',
];
const CONSOLE_PACKAGES = [
  'react',
  'react-dom',
  'react-dom/client',
  '@xyflow/react',
  '@xyflow/react/dist/style.css',
  '@xyflow/react/dist/base.css',
  'jssip',
  'uqr',
  '@simplewebauthn/browser',
  'date-holidays',
];
const pages = filesBelow(consoleSources).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
);

describe('the import table', () => {
  it('every source file stands under a rule', () => {
    const homeless = sources
      .map((file) => relative(src, file))
      .filter((path) => !RULES.some(([prefix]) => path.startsWith(prefix)));
    expect(homeless).toEqual([]);
  });

  it.each(sources.map((file) => relative(src, file)))('%s imports only what its folder may', (path) => {
    const [prefix = '', rule] = RULES.find(([start]) => path.startsWith(start)) ?? [];
    const forbidden = importsOf(join(src, path)).filter((target) => {
      if (target.startsWith('.')) {
        const resolved = normalize(join(dirname(path), target));
        return !resolved.startsWith(prefix) && !mayOf(rule).some((allowed) => resolved.startsWith(allowed));
      }
      return !rule?.node;
    });
    expect(forbidden).toEqual([]);
  });

  it.each(pages.map((file) => relative(consoleSources, file)))(
    'console/src/%s imports what runs in a browser alone',
    (path) => {
      const forbidden = importsOf(join(consoleSources, path)).filter((target) => {
        if (!target.startsWith('.')) return !CONSOLE_PACKAGES.includes(target);
        const resolved = normalize(join('console/src', dirname(path), target));
        return !CONSOLE_MAY.some((allowed) => resolved.startsWith(allowed));
      });
      expect(forbidden).toEqual([]);
    },
  );

  it('one database does not know the other', () => {
    const foreign = sources
      .map((file) => relative(src, file))
      .flatMap((path) => importsOf(join(src, path)).map((target) => [path, target] as const))
      .filter(
        ([path, target]) =>
          (path.startsWith('storage/sqlite/') && target.includes('postgres')) ||
          (path.startsWith('storage/postgres/') && target.includes('sqlite')),
      );
    expect(foreign).toEqual([]);
  });

  it('HTTP asks the telephone side through calls/control/ alone', () => {
    const behind = sources
      .filter((file) => relative(src, file).startsWith('api/'))
      .filter((file) =>
        importsOf(file).some((target) => /calls\/(call-service|switchboard)\.ts$/.test(target)),
      );
    expect(behind).toEqual([]);
  });

  it('the service does not know the command line, nor assistants the API', () => {
    const backwards = sources
      .map((file) => relative(src, file))
      .flatMap((path) =>
        importsOf(join(src, path)).map((target) => [path, join(dirname(path), target)] as const),
      )
      .filter(
        ([path, target]) =>
          (path.startsWith('service/') && target.startsWith('cli/')) ||
          (path.startsWith('mcp/') && target.startsWith('api/')),
      );
    expect(backwards).toEqual([]);
  });

  it('process.env is read in config/config.ts alone', () => {
    expect(
      sources
        .filter((file) => readFileSync(file, 'utf8').includes('process.env'))
        .map((file) => relative(src, file)),
    ).toEqual(['config/config.ts']);
  });

  it('only service/ and main.ts name the adapters', () => {
    const naming = sources
      .map((file) => relative(src, file))
      .filter((path) => !path.startsWith('storage/') && !path.startsWith('sharing/'))
      .filter((path) =>
        importsOf(join(src, path)).some((target) =>
          /(storage\/(sqlite|postgres)|sharing\/(memory|postgres)|telephony\/builtin|sms\/(smpp|http)|sound-store\/(folder|s3))\//.test(
            target,
          ),
        ),
      );
    expect(naming).toEqual([
      'service/open-data-folder.ts',
      'service/open-deliveries.ts',
      'service/open-sharing.ts',
      'service/open-snapshot.ts',
      'service/open-sound-store.ts',
      'service/open-storage.ts',
      'service/open-telephony.ts',
    ]);
  });
});
