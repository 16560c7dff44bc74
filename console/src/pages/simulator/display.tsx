import { isShipped } from '../../../../src/domain/prompt-language.ts';
import type { Flow } from '../../../../src/flow/flow.ts';
import type { AskingDigits } from '../../../../src/flow/logic-phase.ts';
import type { Sound, SystemPrompt } from '../../../../src/flow/sound.ts';
import { referenceText } from '../../../../src/kinds/reference.ts';
import type { Named } from '../../data/names.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { languageName } from '../prompts/language-name.ts';
import { ownPrompt } from './call-audio.ts';
import { withNames } from './names.ts';
import type { PacedCall } from './paced-call.ts';

type NameOf = (reference: string) => Named;

interface DisplayProps {
  readonly paced: PacedCall;
  readonly flow: Flow;
  /** The language of the built-in prompts. */
  readonly language: string;
  readonly nameOf: NameOf;
}

export function Display({ paced, flow, language, nameOf }: DisplayProps) {
  const words = useWords();
  const { t } = words;
  const { phase } = paced.call.state;
  const { playing } = paced.call;
  const heard =
    playing && t('simulator.now.hears', { name: soundName(playing.sound, flow, language, words, nameOf) });
  switch (phase.name) {
    case 'waiting':
      return <p>{t('simulator.now.waiting')}</p>;
    case 'collecting':
      return <p>{t('simulator.now.collecting', { keys: phase.keys })}</p>;
    case 'looking-up':
    case 'joining':
      return <p>{t('simulator.now.looking')}</p>;
    case 'ringing': {
      const owners = [...new Set(phase.targets.map(({ owner }) => nameOf(owner).name))];
      return <p>{t('simulator.now.ringing', { names: owners.join(', ') })}</p>;
    }
    case 'queued':
      return (
        <>
          <p>{t('simulator.now.queued', { name: nameOf(phase.node).name })}</p>
          {heard && <p className="simulator-soft">{heard}</p>}
        </>
      );
    case 'digits':
      return <p>{digitsText(phase, heard, t)}</p>;
    case 'requesting':
      return <p>{t('simulator.now.requesting', { name: nameOf(phase.node).name })}</p>;
    case 'streaming':
      return <p>{heard ?? t('simulator.now.streaming', { name: nameOf(phase.node).name })}</p>;
    case 'recording':
      return <p>{t('simulator.now.recording')}</p>;
    case 'connected':
      return (
        <p className="simulator-good">
          {t('simulator.now.connected', { name: nameOf(phase.target.owner).name })}
        </p>
      );
    case 'ended':
      return (
        <>
          <p>{t('simulator.now.over')}</p>
          <p className="simulator-soft">{withNames(phase.end.text, nameOf)}</p>
        </>
      );
    default:
      return <p>{heard ?? t('simulator.now.looking')}</p>;
  }
}

function digitsText({ stage, keys }: AskingDigits, heard: string | null, t: Words['t']): string {
  if (stage === 'typing') return t('simulator.now.collecting', { keys });
  return heard ?? t(stage === 'confirm' ? 'simulator.now.confirming' : 'simulator.now.digits');
}

function soundName(sound: Sound, flow: Flow, language: string, words: Words, nameOf: NameOf): string {
  const { t } = words;
  if (sound.kind === 'recording')
    return flow.recordings.get(sound.id)?.name ?? nameOf(referenceText('recording', sound.id)).name;
  if (sound.kind === 'tone') return t('simulator.sound.tone');
  if (sound.kind === 'speech') return sound.text;
  const { prompt } = sound;
  if (prompt === 'music-on-hold') return t('simulator.sound.music-on-hold');
  const name = t(`simulator.sound.${promptWord(prompt)}`);
  const isHeard =
    isShipped(language) || ownPrompt(prompt, { language, recordings: flow.recordings }) !== null;
  return t('simulator.sound.spoken', {
    name,
    language: languageName(isHeard ? language : 'en', words.language),
  });
}

function promptWord(prompt: Exclude<SystemPrompt, 'music-on-hold'>) {
  switch (prompt) {
    case 'apology':
    case 'voicemail-greeting':
    case 'message-saved':
    case 'room-pin':
    case 'room-pin-wrong':
    case 'room-name':
    case 'digits-confirm':
    case 'please-wait':
      return prompt;
    default:
      if (prompt.startsWith('position-')) return 'position';
      if (prompt.startsWith('digit-') || prompt.startsWith('key-')) return 'digits';
      return prompt.startsWith('wait-') ? 'wait' : 'callback';
  }
}
