// Text → speech, by an engine that is plugged in. There is one: espeak-ng, where it is installed. It runs as a program of its own
// (its licence is not ours), is given the text on its standard input, never through a shell, and is ended when it takes too long.
import { type ProgramEnd, runProgram } from './program.ts';
import { MAX_UPLOAD_BYTES, type Speech } from './recordings.ts';

export const SPEECH_MS = 20_000;

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
      const args = ['--stdin', '--stdout', '-v', voice, '-s', String(speed)];
      const bounds = { maxBytes: MAX_UPLOAD_BYTES, timeoutMs };
      return spokenOf(
        await runProgram({ program: command, args, env, input: { text }, output: path, ...bounds }),
      );
    },
  };
}

function spokenOf(ended: ProgramEnd): Spoken {
  if (ended.end === 'absent') return 'unavailable';
  if (ended.end === 'too_long') return 'too_long';
  if (ended.end !== 'exit') return 'failed';
  if (ended.code === 0) return 'spoken';
  return ended.errors.includes('voice does not exist') ? 'voice_unknown' : 'failed';
}
