// dialtree live and dialtree records: what calls are doing, and what they did.
import { all, type Input } from '../../client/client.ts';
import { OUTCOMES, UNANSWERED } from '../domain/past-call.ts';
import { type Command, parseWords, UsageError } from './command.ts';
import { print } from './io.ts';
import { pour, REMOTE_DETAILS, REMOTE_OPTIONS, said, show, toArray, withService } from './remote.ts';

const LIVE_COLUMNS = ['id', 'started_at', 'caller', 'dialled', 'state', 'node', 'agent'];

const LIVE_OPTIONS = { ...REMOTE_OPTIONS, follow: { type: 'boolean' } } as const;

export const live: Command = {
  usage: [
    ['live [--follow]', 'list the calls that live now, or follow what happens in them'],
    ['live hangup <id>', 'hang up a call'],
    ['live transfer <id> <destination>', 'send its caller elsewhere'],
  ],
  details: REMOTE_DETAILS,
  options: LIVE_OPTIONS,
  examples: ['live --follow', 'live transfer 01J… "department||sales"'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, LIVE_OPTIONS);
    const [action, id = '', destination = ''] = positionals;
    return withService(config, values, async (dialtree) => {
      if (action === 'hangup') return said(await dialtree.hangUpCall({ body: { call_id: id } }), values);
      if (action === 'transfer')
        return said(await dialtree.transferCall({ body: { call_id: id, destination } }), values);
      if (action !== undefined) throw new UsageError('Say what to do: nothing, hangup or transfer.');
      if (values.follow) return follow(await dialtree.followCalls());
      const calls = await toArray(all(dialtree.listLiveCalls, { limit: 500 }));
      return show(calls, LIVE_COLUMNS, values, 'There are no calls.');
    });
  },
};

/** One line of JSON for each event, until either side ends it. */
async function follow(answer: Response): Promise<number> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of answer.body ?? []) {
    const parts = (text + decoder.decode(piece, { stream: true })).split('\n');
    text = parts.pop() ?? '';
    for (const line of parts) if (line.startsWith('data: ')) print(`${line.slice('data: '.length)}\n`);
  }
  return 0;
}

const RECORD_COLUMNS = [
  'id',
  'started_at',
  'caller',
  'dialled',
  'outcome',
  'answered_by',
  'wait_ms',
  'ring_ms',
  'talk_ms',
];
const FILTERS = [
  'from',
  'to',
  'direction',
  'agent',
  'department',
  'ivr',
  'number',
  'caller',
  'outcome',
  'min_duration',
  'max_duration',
  'q',
] as const;
type Filters = NonNullable<Input<'exportCallRecords'>['query']>;

const TEXT = { type: 'string' } as const;
const RECORD_OPTIONS = {
  ...REMOTE_OPTIONS,
  ...Object.fromEntries(FILTERS.map((name) => [name, TEXT])),
  csv: { type: 'boolean' },
  limit: TEXT,
} as const;

export const records: Command = {
  usage: [
    [
      'records [--outcome missed] [--from 2026-12-24] [--limit <n>] …',
      'list calls that are over, newest first',
    ],
    ['records --csv [--outcome missed] …', 'write all of them as CSV'],
    ['records <id>', 'one call with every step, as JSON'],
  ],
  details: [
    `Filters, as in GET /v1/call/records: ${FILTERS.map((name) => `--${name}`).join(' ')}.`,
    `Outcomes: ${OUTCOMES.join(', ')}; ${UNANSWERED}: all but answered and transferred.`,
    ...REMOTE_DETAILS,
  ],
  options: RECORD_OPTIONS,
  examples: ['records --outcome missed --limit 10', 'records --csv --from 2026-12-01 > december.csv'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, RECORD_OPTIONS);
    const given = values as Readonly<Record<string, string | boolean | undefined>>;
    const query = Object.fromEntries(
      FILTERS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
    ) as Filters;
    return withService(config, values, async (dialtree) => {
      const [id] = positionals;
      if (id !== undefined) {
        const call = await dialtree.getCallRecord({ params: { id } });
        print(`${JSON.stringify(call, null, 2)}\n`);
        return 0;
      }
      if (values.csv) {
        await pour(await dialtree.exportCallRecords({ query }));
        return 0;
      }
      const { data } = await dialtree.listCallRecords({ query: { ...query, limit: values.limit ?? '50' } });
      return show(data, RECORD_COLUMNS, values, 'There are no such calls.');
    });
  },
};
