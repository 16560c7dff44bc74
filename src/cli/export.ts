// dialtree export: menus as one file, with everything they refer to, by name.
import { writeFileSync } from 'node:fs';
import { collectExport } from '../import-export/collect.ts';
import { exportFileText } from '../import-export/export-file.ts';
import {
  type Command,
  CommandError,
  count,
  findAccount,
  parseWords,
  UsageError,
  withStorage,
} from './command.ts';
import { readAccount } from './subject.ts';

const OPTIONS = { id: { type: 'string' }, account: { type: 'string' }, out: { type: 'string' } } as const;

export const exportCommand: Command = {
  usage: [['export [--id <ivr id>] [--account <a>] [--out <file>]', 'write menus as JSON, by name']],
  details: [
    'Without --id all menus. With them goes everything they refer to: menus, departments, agents, teams, time groups,',
    'announcements, voicemail boxes, the numbers that lead to them, and recordings without their audio. Trunks, URLs,',
    'passwords and tokens are not in the file.',
  ],
  options: OPTIONS,
  examples: ['export --out menus.json'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length > 0) throw new UsageError('Say where to write with --out <file>.');
    const { id, out } = values;
    return withStorage(config, async (storage) => {
      const account = await findAccount(storage, values.account);
      const records = await readAccount(storage, account.id);
      if (id !== undefined && !records.ivr.some((ivr) => ivr.id === id))
        throw new CommandError(`Account ${account.name} has no IVR with the id "${id}".`);
      const { exportFile, renamed } = collectExport(records, id === undefined ? undefined : [id]);
      for (const { kind, name, label } of renamed)
        process.stderr.write(
          `Several records are called ${kind} "${name}"; one is "${label}" in the file.\n`,
        );
      const text = exportFileText(exportFile);
      if (out === undefined) process.stdout.write(text);
      else {
        try {
          writeFileSync(out, text);
        } catch (error) {
          throw new CommandError(`--out ${out} cannot be written: ${(error as Error).message}`);
        }
        process.stderr.write(`${out} is written: ${count(exportFile.ivr.length, 'menu')}.\n`);
      }
      return 0;
    });
  },
};
