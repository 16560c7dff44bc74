// dialtree number: which numbers callers dial, and where they lead.
import { all } from '../../client/client.ts';
import { type Command, CommandError, parseWords, UsageError } from './command.ts';
import { REMOTE_DETAILS, REMOTE_OPTIONS, said, show, toArray, withService } from './remote.ts';

export const number: Command = {
  usage: [
    ['number list', 'list the numbers that callers dial'],
    ['number add <number> <destination>', 'put a number on a menu, an agent, a department'],
    ['number remove <number>', 'take a number away'],
  ],
  details: ['A destination is written as in the API: "ivr||main", "extension||100001".', ...REMOTE_DETAILS],
  options: REMOTE_OPTIONS,
  examples: ['number add 105 "ivr||main"', 'number remove 105'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, REMOTE_OPTIONS);
    const [action, dialled = '', destination = ''] = positionals;
    return withService(config, values, async (dialtree) => {
      const numbers = () => toArray(all(dialtree.listNumbers));
      switch (action) {
        case 'list':
          return show(
            await numbers(),
            ['number', 'destination', 'description'],
            values,
            'There are no numbers.',
          );
        case 'add':
          if (destination === '') throw new UsageError('Say the number and where it leads.');
          return said(await dialtree.createNumber({ body: { number: dialled, destination } }), values);
        case 'remove': {
          const found = (await numbers()).find((each) => each.number === dialled);
          if (!found) throw new CommandError(`There is no number ${dialled}.`);
          return said(await dialtree.deleteNumber({ params: { id: found.id } }), values);
        }
        default:
          throw new UsageError('Say what to do with numbers: list, add or remove.');
      }
    });
  },
};
