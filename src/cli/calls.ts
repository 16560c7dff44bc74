// dialtree live and dialtree records: what calls are doing, and what they did.
import { type Command, parseWords, UsageError } from './command.ts';
import { REMOTE_DETAILS, REMOTE_OPTIONS, said, show, withService } from './remote.ts';

const LIVE_COLUMNS = ['id', 'started_at', 'caller', 'dialled', 'state', 'node', 'agent'];

export const live: Command = {
  usage: [
    ['live [--follow]', 'list the calls that live now, or follow what happens in them'],
    ['live hangup <id>', 'hang up a call'],
    ['live transfer <id> <destination>', 'send its caller elsewhere'],
  ],
  details: REMOTE_DETAILS,
  async run(words, config) {
    const { values, positionals } = parseWords(words, { ...REMOTE_OPTIONS, follow: { type: 'boolean' } });
    const [action, id = '', destination = ''] = positionals;
    return withService(config, values, async (dialtree) => {
      if (action === 'hangup') return said(await dialtree.hangUpCall({ body: { id } }), values);
      if (action === 'transfer')
        return said(await dialtree.transferCall({ body: { id, destination } }), values);
      if (action !== undefined) throw new UsageError('Say what to do: nothing, hangup or transfer.');
      if (values.follow) return follow(await dialtree.followCalls());
      const { data } = await dialtree.listLiveCalls({ query: { limit: 500 } });
      return show(data, LIVE_COLUMNS, values, 'There are no calls.');
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
    for (const line of parts)
      if (line.startsWith('data: ')) process.stdout.write(`${line.slice('data: '.length)}\n`);
  }
  return 0;
}
