// Who may import whom: test/architecture.test.ts enforces it, and `npm run imports` writes it into ARCHITECTURE.md.

interface Rule {
  /** Path prefixes below src/ that may be imported, beside the folder itself. */
  readonly may: readonly string[];
  /** Whether node: modules and packages of the service may be used. */
  readonly node: boolean;
}

/** The first prefix that fits a file is its rule. */
export const RULES: readonly (readonly [prefix: string, rule: Rule])[] = [
  ['flow/', { may: [], node: false }],
  ['kinds/', { may: ['flow/'], node: false }],
  ['domain/', { may: ['kinds/', 'flow/'], node: false }],
  ['import-export/', { may: ['domain/', 'flow/', 'api/schemas/'], node: false }],
  ['archive/', { may: [], node: true }],
  [
    'backup/',
    {
      may: [
        'archive/',
        'calls/records/call-recording-file.ts',
        'kit/own-command.ts',
        'kit/data-folder.ts',
        'sound-store/sound-store.ts',
        'storage/migrations/ledger.ts',
        'storage/ports/',
        'storage/sql/tx.ts',
      ],
      node: true,
    },
  ],
  ['names/', { may: [], node: true }],
  ['safe-fetch/', { may: ['kit/fair-share.ts', 'names/'], node: true }],
  [
    'bots/',
    {
      may: ['calls/bots/', 'flow/', 'media/bots/bot-ring.ts', 'safe-fetch/', 'kit/fair-share.ts'],
      node: true,
    },
  ],
  ['sip/', { may: ['names/'], node: true }],
  ['media/', { may: [], node: true }],
  ['telephony/telephony.ts', { may: ['telephony/ports/'], node: false }],
  ['telephony/ports/', { may: [], node: false }],
  ['telephony/', { may: ['sip/', 'media/'], node: true }],
  ['storage/', { may: ['domain/', 'flow/', 'kit/fair-share.ts'], node: true }],
  ['sharing/ports/', { may: ['domain/', 'flow/'], node: true }],
  [
    'sharing/memory/',
    { may: ['sharing/ports/', 'domain/', 'flow/', 'kit/clock.ts', 'kit/fair-share.ts'], node: true },
  ],
  [
    'sharing/postgres/',
    {
      may: [
        'sharing/ports/',
        'sharing/memory/',
        'domain/',
        'flow/',
        'kit/clock.ts',
        'kit/fair-share.ts',
        'storage/storage.ts',
        'storage/sql/tx.ts',
        'storage/postgres/errors.ts',
        'storage/postgres/transactions.ts',
        'storage/postgres/tx.ts',
      ],
      node: true,
    },
  ],
  ['statistics/', { may: ['domain/', 'flow/', 'storage/ports/'], node: true }],
  ['accounts/', { may: ['domain/', 'flow/', 'storage/ports/'], node: false }],
  [
    'flow-jobs/',
    {
      may: ['accounts/', 'domain/', 'flow/', 'storage/storage.ts', 'storage/ports/', 'kit/fair-share.ts'],
      node: true,
    },
  ],
  ['mcp/', { may: ['domain/', 'flow/', 'kit/version.ts'], node: true }],
  [
    'api/',
    {
      may: [
        'mcp/ask.ts',
        'mcp/over-http.ts',
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
        'storage/methods.ts',
        'storage/pipeline.ts',
        'statistics/',
        'storage/drafting.ts',
        'recordings/recordings.ts',
        'kit/credentials.ts',
        'kit/fair-share.ts',
        'kit/webhook-signature.ts',
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
        'kit/data-folder.ts',
        'kit/fair-share.ts',
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
        'kit/clock.ts',
        'kit/data-folder.ts',
        'kit/fair-share.ts',
        'kit/retrying-batch.ts',
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
        'kit/clock.ts',
        'kit/retrying-batch.ts',
        'outbox/',
        'safe-fetch/',
        'statistics/',
        'storage/storage.ts',
        'storage/ports/',
        'kit/webhook-signature.ts',
      ],
      node: true,
    },
  ],
  [
    'sms/',
    { may: ['domain/', 'storage/storage.ts', 'storage/ports/', 'kit/clock.ts', 'outbox/'], node: true },
  ],
  ['outbox/', { may: ['domain/', 'storage/storage.ts', 'storage/ports/', 'kit/clock.ts'], node: true }],
  [
    'cli/',
    {
      may: [
        'api/',
        'domain/',
        'flow/',
        'import-export/',
        'mcp/',
        'archive/',
        'backup/',
        'kit/data-folder.ts',
        'kit/sealing.ts',
        'kit/webhook-signature.ts',
        'storage/storage.ts',
        'storage/ports/',
        'storage/inspect.ts',
        'storage/pipeline.ts',
        '../client/',
        'telephony/softphone/',
        'sip/transports/transport.ts',
        'media/audio/hearing.ts',
        'media/audio/sound-class.ts',
        'media/audio/wav.ts',
        'media/engine/engine.ts',
        'recordings/convert/convert.ts',
        'recordings/program.ts',
        'recordings/speech.ts',
        'config/config.ts',
        'config/forms.ts',
        'config/variables.ts',
        'kit/own-command.ts',
        'kit/credentials.ts',
        'kit/version.ts',
        'main.ts',
        'service/checks/',
        'service/local-api.ts',
        'service/open-data-folder.ts',
        'service/open-prompts.ts',
        'service/open-snapshot.ts',
        'service/open-sound-store.ts',
        'sound-store/sound-store.ts',
        'service/open-storage.ts',
        'service/running-service.ts',
        'service/start-error.ts',
        'service/stored-variables.ts',
      ],
      node: true,
    },
  ],
  ['config/variables.ts', { may: [], node: false }],
  ['config/reader.ts', { may: ['config/variables.ts'], node: false }],
  [
    'config/shown.ts',
    { may: ['config/settable.ts', 'config/variables.ts', 'domain/service-variable.ts'], node: false },
  ],
  [
    'config/',
    {
      may: [
        'domain/service-variable.ts',
        'notifications/smtp-url.ts',
        'safe-fetch/allowed-hosts.ts',
        'safe-fetch/network.ts',
        'sip/capture/hep-url.ts',
        'sms/sms-url.ts',
        'sound-store/place.ts',
        'tracing/collector.ts',
      ],
      node: true,
    },
  ],
  ['sound-store/', { may: ['storage/storage.ts', 'kit/data-folder.ts'], node: true }],
  ['kit/webhook-signature.ts', { may: [], node: true }],
  ['kit/credentials.ts', { may: ['domain/'], node: true }],
  ['kit/version.ts', { may: ['kit/in-package.ts'], node: true }],
  ['kit/in-package.ts', { may: [], node: true }],
  ['kit/own-command.ts', { may: [], node: true }],
  ['kit/clock.ts', { may: [], node: true }],
  ['kit/fair-share.ts', { may: [], node: false }],
  ['kit/retrying-batch.ts', { may: ['kit/clock.ts'], node: true }],
  ['kit/data-folder.ts', { may: [], node: true }],
  ['kit/disk-space.ts', { may: [], node: true }],
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
  ['kit/log.ts', { may: ['config/config.ts'], node: true }],
  ['kit/sealing.ts', { may: ['domain/sealer.ts', 'kit/data-folder.ts'], node: true }],
  ['service/', { may: [''], node: true }],
  ['main.ts', { may: [''], node: true }],
];

/** Who may import the records of the domain may import their kinds. */
export const mayOf = (rule: Rule | undefined): readonly string[] =>
  rule?.may.includes('domain/') ? [...rule.may, 'kinds/'] : (rule?.may ?? []);

const named = (paths: readonly string[]): string =>
  paths.map((path) => (path === '' ? 'everything' : `\`${path}\``)).join(', ') || 'nothing of ours';

/** As ARCHITECTURE.md has it. */
export function importTable(): string {
  const rows = RULES.map(([prefix, rule]) => {
    const node = rule.node ? 'yes' : 'no';
    return `| \`${prefix}\` | ${named(mayOf(rule))} | ${node} |`;
  });
  return [
    '| folder or file of src/ | may import, beside itself | `node:` and packages |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

const BEGIN = '<!-- made by `npm run imports` from test/support/import-rules.ts -->';
const END = '<!-- end -->';

export function withImportTable(document: string): string {
  const [before, behind] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (before < 0 || behind < before) throw new Error(`The document lacks ${BEGIN} and ${END}.`);
  return `${document.slice(0, before)}${BEGIN}\n\n${importTable()}\n\n${document.slice(behind)}`;
}
