// Speech: the engine that the configuration names, and the texts of calls that it speaks.
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { CallSpeech } from '../calls/speech.ts';
import { type Config, pathEnvironment, programEnvironment } from '../config/config.ts';
import { SPEECH_WAIT_MS } from '../flow/turn.ts';
import { httpSpeech } from '../recordings/http-speech.ts';
import { isInstalled } from '../recordings/program.ts';
import { SoundProgram } from '../recordings/sound-program.ts';
import { espeak, noSpeech, type SpeechEngine } from '../recordings/speech.ts';
import { SpokenTexts } from '../recordings/spoken-texts.ts';
import { Transcoder } from '../recordings/transcoder.ts';
import type { FetchSafely } from '../safe-fetch/safe-fetch.ts';
import type { Resources } from './resources.ts';
import { StartError } from './start-error.ts';

/** Words per minute. */
const SPEED = 160;

export function speechEngine({ tts, ttsCommand }: Config, fetchSafely: FetchSafely): SpeechEngine {
  if (tts) return httpSpeech(tts, fetchSafely);
  return ttsCommand === undefined ? noSpeech : espeak(ttsCommand, programEnvironment());
}

/** Throws a StartError: the program of SOUND_COMMAND is not there. That of TTS_COMMAND need not be, which is set without being asked for. */
export function checkPrograms({ soundCommand }: Config): void {
  if (soundCommand && !isInstalled(soundCommand.program, pathEnvironment()))
    throw new StartError(
      `SOUND_COMMAND: there is no program ${soundCommand.program} in PATH. Install it, or leave the variable out.`,
    );
}

/** Undefined: SOUND_COMMAND is not set. */
export function soundProgram({ soundCommand }: Config): SoundProgram | undefined {
  return soundCommand && new SoundProgram(soundCommand, pathEnvironment());
}

export function openSpokenTexts(
  config: Config,
  fetchSafely: FetchSafely,
  logger: Logger,
  resources: Resources,
): SpokenTexts {
  return new SpokenTexts({
    folder: join(config.dataDir, 'speech'),
    engine: speechEngine(config, fetchSafely),
    // Its threads start with the first text.
    transcoder: resources.add(new Transcoder(), (opened) => opened.close()),
    waitMs: SPEECH_WAIT_MS,
    failed: (err) => logger.warn({ err }, 'text of a call not spoken'),
  });
}

export function callSpeech(texts: SpokenTexts): CallSpeech {
  return {
    async speak({ accountId, text, language, secret }) {
      const spoken = await texts.speak(accountId, { text, voice: language, speed: SPEED, secret });
      return 'id' in spoken ? { sound: { kind: 'speech', id: spoken.id } } : spoken;
    },
  };
}
