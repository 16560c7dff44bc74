// dialtree nodes and dialtree drain: the processes that run the service, and the switch that lets one of them take no new calls.
import type { Client } from '../../client/client.ts';
import type { Config } from '../config/config.ts';
import { type Command, CommandError, count, parseWords, UsageError } from './command.ts';
import { remark } from './io.ts';
import { REMOTE_DETAILS, REMOTE_OPTIONS, said, show, withService } from './remote.ts';

const COLUMNS = ['id', 'state', 'calls', 'version', 'started_at', 'last_seen_at'];
const POLL_MS = 1000;

export const nodes: Command = {
  usage: [['nodes', 'list the processes that run the service, with their calls']],
  details: ['The token must be of the first account of the installation.', ...REMOTE_DETAILS],
  options: REMOTE_OPTIONS,
  examples: ['nodes'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, REMOTE_OPTIONS);
    if (positionals.length > 0) throw new UsageError('nodes takes no names.');
    return withService(config, values, async (dialtree) =>
      show((await dialtree.listNodes()).data, COLUMNS, values, 'There are no nodes.'),
    );
  },
};

const DRAIN_OPTIONS = {
  ...REMOTE_OPTIONS,
  node: { type: 'string' },
  off: { type: 'boolean' },
  wait: { type: 'boolean' },
} as const;

export const drain: Command = {
  usage: [
    ['drain [--node <id>] [--wait] [--off]', 'let a node take no new calls, such as before an upgrade'],
  ],
  details: [
    'Its calls go on; new ones get 503, and so does OPTIONS, so that a proxy sends them elsewhere. It stays so until it ends or is resumed.',
    '--node <id>       which node; default: NODE_ID, or the one that answers.',
    '--wait            return when it has no calls any more.',
    '--off             let it take calls again.',
    'The token must be of the first account of the installation.',
    ...REMOTE_DETAILS,
  ],
  options: DRAIN_OPTIONS,
  examples: ['drain --wait', 'drain --node node-2', 'drain --node node-2 --off'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, DRAIN_OPTIONS);
    if (positionals.length > 0) throw new UsageError('Name the node with --node.');
    return withService(config, values, async (dialtree) => {
      const id = await nodeOf(dialtree, config, values.node);
      const done = values.off
        ? await dialtree.resumeNode({ params: { id } })
        : await dialtree.drainNode({ params: { id } });
      const code = await said(done, values);
      if (values.wait && !values.off) await untilEmpty(dialtree, id);
      return code;
    });
  },
};

async function nodeOf(
  dialtree: Client<'minimal'>,
  { nodeId }: Config,
  given: string | undefined,
): Promise<string> {
  const named = given ?? nodeId;
  if (named !== undefined) return named;
  const answering = (await dialtree.listNodes()).data.find((node) => node.answers_you);
  if (!answering) throw new CommandError('The node that answers is not in the list. Name one with --node.');
  return answering.id;
}

async function untilEmpty(dialtree: Client<'minimal'>, id: string): Promise<void> {
  for (let before = -1, polls = 0; ; polls++) {
    const node = (await dialtree.listNodes()).data.find((each) => each.id === id);
    const calls = node && (node.state === 'running' || node.state === 'draining') ? node.calls : 0;
    // What it says of its calls is from its last heartbeat: what it says while it drains counts, or after some of them.
    if (calls === 0 && (node?.state !== 'running' || polls >= 3)) return;
    if (calls !== before) remark(`${count(calls, 'call')} left\n`);
    before = calls;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
