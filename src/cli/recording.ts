// dialtree recording: what callers hear, from a file, a text or an address, and back into a file.
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { all, type Client } from '../../client/client.ts';
import { ownCommand } from '../kit/own-command.ts';
import { type Command, CommandError, parseWords, UsageError } from './command.ts';
import { print } from './io.ts';
import {
  REMOTE_DETAILS,
  REMOTE_OPTIONS,
  type RemoteValues,
  said,
  show,
  toArray,
  withService,
} from './remote.ts';

const OPTIONS = { ...REMOTE_OPTIONS, name: { type: 'string' }, replace: { type: 'string' } } as const;
const COLUMNS = ['id', 'name', 'duration_ms', 'peak_db', 'version', 'updated_at'];

interface Values extends RemoteValues {
  readonly name?: string | undefined;
  readonly replace?: string | undefined;
}

export const recording: Command = {
  usage: [
    ['recording list', 'list the recordings'],
    [
      'recording add <file> [--name <name>] [--replace <id>]',
      'upload a sound file: WAV, FLAC, MP3, Ogg or WebM',
    ],
    ['recording say <text> --name <name> [--replace <id>]', 'have a text spoken'],
    ['recording save <id> <file.wav>', 'keep what callers hear in a file'],
    ['recording remove <id>', 'delete a recording that nothing points to'],
  ],
  details: [
    '--replace <id>    the new version of this recording; the next call hears it.',
    ...REMOTE_DETAILS,
  ],
  options: OPTIONS,
  examples: ['recording add welcome.mp3', 'recording say "We are closed today." --name closed'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [action, what = '', file = ''] = positionals;
    return withService(config, values, async (dialtree) => {
      if (action === 'list') {
        const recordings = await toArray(all(dialtree.listRecordings));
        return show(
          recordings,
          COLUMNS,
          values,
          `There are no recordings: ${ownCommand()} recording add <file>.`,
        );
      }
      if (what === '') throw new UsageError('Say which recording, file or text.');
      switch (action) {
        case 'add':
          return store(dialtree, await formOf(what, values), values);
        case 'say':
          return store(
            dialtree,
            { text: what, ...(values.name === undefined ? {} : { name: values.name }) },
            values,
          );
        case 'save':
          if (file === '') throw new UsageError('Say into which file.');
          return save(dialtree, what, file);
        case 'remove':
          return said(await dialtree.deleteRecording({ params: { id: what } }), values);
        default:
          throw new UsageError('Say what to do with recordings: list, add, say, save or remove.');
      }
    });
  },
};

/** The file is read as it is sent, however large it is. */
async function formOf(file: string, { name, replace }: Values): Promise<FormData> {
  const form = new FormData();
  try {
    form.set('file', await openAsBlob(file), basename(file));
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
  // A replaced recording keeps its name unless it is given another.
  const title = name ?? (replace === undefined ? basename(file, extname(file)) : undefined);
  if (title !== undefined) form.set('name', title);
  return form;
}

type Sound = FormData | { readonly text: string; readonly name?: string };

async function store(dialtree: Client<'minimal'>, body: Sound, values: Values): Promise<number> {
  if (values.replace !== undefined)
    return said(await dialtree.patchRecording({ params: { id: values.replace }, body }), values);
  const made = await dialtree.createRecording({ body });
  return said({ ...made, Message: `${made.Message} Menus name it recording||${made.id}.` }, values);
}

async function save(dialtree: Client<'minimal'>, id: string, file: string): Promise<number> {
  const answer = await dialtree.getRecordingAudio({ params: { id } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  try {
    await writeFile(file, bytes);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}`);
  }
  print(`${bytes.length} bytes are in ${file}.\n`);
  return 0;
}
