import type { Command } from './command.ts';

export const doctor: Command = {
  usage: [['doctor [--json]', 'say what is wrong, and how to mend it']],
  run: () => Promise.resolve(0),
};
