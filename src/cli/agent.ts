// dialtree agent: the daily chores around agents.
import { all } from '../../client/client.ts';
import { ownCommand } from '../kit/own-command.ts';
import { type Command, parseWords, UsageError } from './command.ts';
import { REMOTE_DETAILS, REMOTE_OPTIONS, said, show, toArray, withService } from './remote.ts';

const OPTIONS = {
  ...REMOTE_OPTIONS,
  intercom: { type: 'string' },
  team: { type: 'string' },
  'follow-me': { type: 'string' },
  'click-to-call': { type: 'boolean' },
  force: { type: 'boolean' },
} as const;
const COLUMNS = [
  'eid',
  'name',
  'intercom',
  'follow_me_number',
  'team_name',
  'custom_status',
  'calls_answered',
];

export const agent: Command = {
  usage: [
    ['agent list', 'list the agents'],
    [
      'agent add <name> [--intercom <n>] [--team <n>] [--follow-me <number>]',
      'make an agent; prints the SIP password',
    ],
    ['agent block|unblock|password|remove <eid>', 'offer no calls; again; a new SIP password; delete'],
  ],
  details: [
    '--click-to-call   calls may be asked for in the name of the agent.',
    '--force           remove the agent even if something leads there.',
    ...REMOTE_DETAILS,
  ],
  options: OPTIONS,
  examples: ['agent add "Asha Rao" --intercom 1009', 'agent block 100001'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [action, who = ''] = positionals;
    return withService(config, values, async (dialtree) => {
      const params = { eid: who };
      if (action === 'list') {
        const agents = await toArray(all(dialtree.listAgentsV2));
        return show(agents, COLUMNS, values, `There are no agents: ${ownCommand()} agent add <name>.`);
      }
      if (who === '') throw new UsageError('Say which agent.');
      switch (action) {
        case 'add': {
          const body = {
            name: who,
            ...(values.intercom === undefined ? {} : { intercom: values.intercom }),
            ...(values.team === undefined ? {} : { team_id: values.team }),
            ...(values['follow-me'] === undefined ? {} : { follow_me_number: values['follow-me'] }),
            ...(values['click-to-call'] ? { product_clicktocall: 1 as const } : {}),
          };
          return said(await dialtree.createAgent({ body }), values);
        }
        case 'block':
          return said(await dialtree.blockAgent({ params }), values);
        case 'unblock':
          return said(await dialtree.unblockAgent({ params }), values);
        case 'password':
          return said(await dialtree.renewSipPassword({ params }), values);
        case 'remove':
          return said(
            await dialtree.deleteAgent({ params, query: values.force ? { force: 'true' } : {} }),
            values,
          );
        default:
          throw new UsageError('Say what to do with agents: list, add, block, unblock, password or remove.');
      }
    });
  },
};
