// Text → speech, by an engine that is plugged in. There is one: espeak-ng, where it is installed. It runs as a program of its own
// (its licence is not ours), is given the text on its standard input, never through a shell, and is ended when it takes too long.
import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';
import { MAX_UPLOAD_BYTES, type Speech } from './recordings.ts';

export const SPEECH_MS = 20_000;
const MAX_ERRORS = 1_000;

export type Spoken = 'spoken' | 'unavailable' | 'voice_unknown' | 'too_long' | 'failed';

export interface SpeechEngine {
  /** Writes a sound file, of any kind that can be uploaded. */
  speak(speech: Speech, path: string): Promise<Spoken>;
}

export const noSpeech: SpeechEngine = { speak: async () => 'unavailable' };

/** `env`: all that the program sees of an environment. */
export function espeak(command: string, env: NodeJS.ProcessEnv, timeoutMs = SPEECH_MS): SpeechEngine {
  return {
    async speak({ text, voice, speed }, path) {
      // Before the program starts: its early output would be lost while the file is being opened.
      const file = await open(path, 'wx', 0o600);
      const child = spawn(command, ['--stdin', '--stdout', '-v', voice, '-s', String(speed)], {
        shell: false,
        env,
      });
      const ended = endOf(child);
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      try {
        child.stdin.on('error', () => undefined);
        child.stdin.end(text);
        const written = await write(child, file);
        const end = await ended;
        return written === 'too_long' ? written : end;
      } finally {
        clearTimeout(timer);
        await file.close();
      }
    },
  };
}

async function write(child: ChildProcess, file: FileHandle): Promise<'whole' | 'too_long'> {
  let bytes = 0;
  try {
    for await (const piece of child.stdout ?? []) {
      bytes += (piece as Buffer).length;
      if (bytes > MAX_UPLOAD_BYTES) return 'too_long';
      await file.writeFile(piece as Buffer);
    }
    return 'whole';
  } finally {
    if (bytes > MAX_UPLOAD_BYTES) child.kill('SIGKILL');
  }
}

function endOf(child: ChildProcess): Promise<Spoken> {
  let errors = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    if (errors.length < MAX_ERRORS) errors += bytes.toString('latin1');
  });
  return new Promise((resolve) => {
    child.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ENOENT' || code === 'EACCES' ? 'unavailable' : 'failed'),
    );
    child.once('close', (code) => {
      if (code === 0) resolve('spoken');
      else resolve(errors.includes('voice does not exist') ? 'voice_unknown' : 'failed');
    });
  });
}
