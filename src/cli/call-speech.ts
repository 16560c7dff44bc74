// What `dialtree call --say` sends: a sound file, or a text that the speech engine speaks.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, programEnvironment } from '../config/config.ts';
import { espeak } from '../recordings/speech.ts';
import { CommandError } from './command.ts';
import { io } from './io.ts';

/** As µ-law. `said` is a file where there is one of this name, else a text. */
export async function soundOf(said: string, config: Config): Promise<Buffer> {
  const found = await stat(said).catch(() => null);
  if (found?.isFile()) return converted(said, said);
  if (/^[^\s]+\.(wav|mp3|ogg|opus|flac|m4a|mp4|aac|webm)$/i.test(said))
    throw new CommandError(`--say ${said}: there is no such file.`);
  const folder = await mkdtemp(join(tmpdir(), 'dialtree-say-'));
  try {
    return await spoken(said, join(folder, 'spoken.wav'), config);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function spoken(text: string, file: string, { ttsCommand }: Config): Promise<Buffer> {
  const command = ttsCommand ?? 'none';
  const speech = { text, voice: 'en', speed: 160 };
  const outcome =
    ttsCommand === undefined
      ? 'unavailable'
      : await espeak(ttsCommand, programEnvironment(io().environment)).speak(speech, file);
  if (outcome === 'spoken') return converted(file, 'the spoken text');
  throw new CommandError(
    outcome === 'unavailable'
      ? `--say: no program speaks text here (TTS_COMMAND is ${command === 'none' ? 'off' : command}). Install espeak-ng, or give a sound file.`
      : `--say: ${command} could not speak the text (${outcome}). Give a shorter one, or a sound file.`,
  );
}

async function converted(file: string, name: string): Promise<Buffer> {
  const { convertFile } = await import('../recordings/convert/convert.ts');
  const result = await convertFile(file);
  if ('refused' in result) throw new CommandError(`--say ${name}: ${result.message}`);
  return result.ulaw;
}
