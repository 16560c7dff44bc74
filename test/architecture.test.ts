// The import table of ARCHITECTURE.md, enforced. A folder may import what its row names, and nothing else of ours.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

interface Rule {
  /** Path prefixes below src/ that may be imported, beside the folder itself. */
  readonly may: readonly string[];
  /** Whether node: modules and packages of the service may be used. */
  readonly node: boolean;
}

/** The first prefix that fits a file is its rule. */
const RULES: readonly (readonly [prefix: string, rule: Rule])[] = [
  ['flow/', { may: [], node: false }],
  ['domain/', { may: ['flow/'], node: false }],
  ['import-export/', { may: ['domain/', 'flow/', 'api/schemas/'], node: false }],
  ['archive/', { may: [], node: true }],
  [
    'backup/',
    {
      may: [
        'archive/',
        'calls/records/call-recording-file.ts',
        'data-folder.ts',
        'sound-store/sound-store.ts',
        'storage/migrations/ledger.ts',
        'storage/ports/',
        'storage/sql/tx.ts',
      ],
      node: true,
    },
  ],
  ['safe-fetch/', { may: [], node: true }],
  ['sip/', { may: [], node: true }],
  ['media/', { may: [], node: true }],
  ['telephony/telephony.ts', { may: ['telephony/ports/'], node: false }],
  ['telephony/ports/', { may: [], node: false }],
  ['telephony/', { may: ['sip/', 'media/'], node: true }],
  ['storage/', { may: ['domain/', 'flow/', 'fair-share.ts'], node: true }],
  ['sharing/ports/', { may: ['domain/', 'flow/'], node: true }],
  [
    'sharing/memory/',
    { may: ['sharing/ports/', 'domain/', 'flow/', 'clock.ts', 'fair-share.ts'], node: true },
  ],
  [
    'sharing/postgres/',
    {
      may: [
        'sharing/ports/',
        'sharing/memory/',
        'domain/',
        'flow/',
        'clock.ts',
        'fair-share.ts',
        'storage/storage.ts',
        'storage/sql/tx.ts',
        'storage/postgres/errors.ts',
        'storage/postgres/transactions.ts',
        'storage/postgres/tx.ts',
      ],
      node: true,
    },
  ],
  ['accounts/', { may: ['domain/', 'flow/', 'storage/ports/'], node: false }],
  [
    'flow-jobs/',
    {
      may: ['accounts/', 'domain/', 'flow/', 'storage/storage.ts', 'storage/ports/', 'fair-share.ts'],
      node: true,
    },
  ],
  [
    'api/',
    {
      may: [
        'accounts/',
        'domain/',
        'flow/',
        'flow-jobs/flow-jobs.ts',
        'flow-jobs/job.ts',
        'calls/',
        'nodes/',
        'safe-fetch/',
        'sharing/ports/',
        'storage/storage.ts',
        'storage/ports/',
        'storage/decorators.ts',
        'recordings/recordings.ts',
        'credentials.ts',
        'fair-share.ts',
        'webhook-signature.ts',
      ],
      node: true,
    },
  ],
  [
    'recordings/',
    {
      may: [
        'domain/',
        'media/audio/frame.ts',
        'media/audio/g711.ts',
        'media/audio/wav.ts',
        'safe-fetch/safe-fetch.ts',
        'storage/storage.ts',
        'storage/ports/',
        'data-folder.ts',
        'fair-share.ts',
      ],
      node: true,
    },
  ],
  [
    'calls/',
    {
      may: [
        'accounts/',
        'flow/',
        'domain/',
        'clock.ts',
        'data-folder.ts',
        'fair-share.ts',
        'retrying-batch.ts',
        'sharing/ports/',
        'sound-store/sound-store.ts',
        'storage/storage.ts',
        'storage/ports/',
        'telephony/ports/',
        'telephony/telephony.ts',
      ],
      node: true,
    },
  ],
  ['nodes/', { may: ['calls/', 'flow/', 'storage/ports/', 'telephony/telephony.ts'], node: true }],
  [
    'notifications/',
    {
      may: [
        'domain/',
        'calls/events/call-events.ts',
        'clock.ts',
        'retrying-batch.ts',
        'outbox/',
        'safe-fetch/',
        'storage/storage.ts',
        'storage/ports/',
        'webhook-signature.ts',
      ],
      node: true,
    },
  ],
  ['sms/', { may: ['domain/', 'storage/storage.ts', 'storage/ports/', 'clock.ts', 'outbox/'], node: true }],
  ['outbox/', { may: ['domain/', 'storage/storage.ts', 'storage/ports/', 'clock.ts'], node: true }],
  [
    'cli/',
    {
      may: [
        'api/',
        'accounts/',
        'calls/',
        'domain/',
        'flow/',
        'import-export/',
        'archive/',
        'backup/',
        'data-folder.ts',
        'sealing.ts',
        'webhook-signature.ts',
        'storage/storage.ts',
        'storage/ports/',
        'storage/inspect.ts',
        'storage/decorators.ts',
        '../client/',
        'telephony/softphone/',
        'sip/transports/transport.ts',
        'media/audio/hearing.ts',
        'media/audio/sound-class.ts',
        'media/audio/wav.ts',
        'media/engine/engine.ts',
        'recordings/convert/convert.ts',
        'recordings/speech.ts',
        'config.ts',
        'config-forms.ts',
        'credentials.ts',
        'version.ts',
        'main.ts',
        'service/open-data-folder.ts',
        'service/open-snapshot.ts',
        'service/open-sound-store.ts',
        'sound-store/sound-store.ts',
        'service/open-storage.ts',
        'service/running-service.ts',
        'service/start-error.ts',
      ],
      node: true,
    },
  ],
  ['config-variables.ts', { may: [], node: false }],
  [
    'config.ts',
    {
      may: [
        'config-forms.ts',
        'config-variables.ts',
        'safe-fetch/network.ts',
        'sip/capture/hep-url.ts',
        'sms/sms-url.ts',
        'sound-store/place.ts',
        'tracing/collector.ts',
      ],
      node: true,
    },
  ],
  ['sound-store/', { may: ['storage/storage.ts', 'data-folder.ts'], node: true }],
  ['webhook-signature.ts', { may: [], node: true }],
  ['credentials.ts', { may: ['domain/'], node: true }],
  ['version.ts', { may: [], node: true }],
  ['clock.ts', { may: [], node: true }],
  ['fair-share.ts', { may: [], node: false }],
  ['retrying-batch.ts', { may: ['clock.ts'], node: true }],
  ['data-folder.ts', { may: [], node: true }],
  ['disk-space.ts', { may: [], node: true }],
  ['config-forms.ts', { may: [], node: true }],
  [
    'tracing/',
    {
      may: [
        'api/http/running.ts',
        'calls/call-log.ts',
        'calls/records/call-record.ts',
        'domain/past-call.ts',
        'flow/trail.ts',
      ],
      node: true,
    },
  ],
  ['log.ts', { may: ['config.ts'], node: true }],
  ['sealing.ts', { may: ['domain/sealer.ts', 'data-folder.ts'], node: true }],
  [
    'first-start.ts',
    {
      may: [
        'domain/',
        'storage/storage.ts',
        'storage/ports/',
        'config.ts',
        'credentials.ts',
        'data-folder.ts',
      ],
      node: true,
    },
  ],
  ['service/', { may: [''], node: true }],
  ['main.ts', { may: [''], node: true }],
];

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
/** Of examples and assets only sounds, as files of their own. */
const CONSOLE_MAY = [
  'console/src/',
  'src/flow/',
  'src/domain/',
  'client/',
  'examples/recordings/',
  'assets/prompts/',
];
const CONSOLE_PACKAGES = [
  'react',
  'react-dom/client',
  '@xyflow/react',
  '@xyflow/react/dist/style.css',
  '@xyflow/react/dist/base.css',
  'uqr',
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
        return !resolved.startsWith(prefix) && !rule?.may.some((allowed) => resolved.startsWith(allowed));
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

  it('HTTP asks the telephone side through calls/telephone-side.ts alone', () => {
    const behind = sources
      .filter((file) => relative(src, file).startsWith('api/'))
      .filter((file) =>
        importsOf(file).some((target) => /calls\/(call-service|switchboard)\.ts$/.test(target)),
      );
    expect(behind).toEqual([]);
  });

  it('process.env is read in config.ts alone', () => {
    expect(
      sources
        .filter((file) => readFileSync(file, 'utf8').includes('process.env'))
        .map((file) => relative(src, file)),
    ).toEqual(['config.ts']);
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
