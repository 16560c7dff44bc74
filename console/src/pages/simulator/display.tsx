import type { Flow } from '../../../../src/flow/flow.ts';
import type { Sound } from '../../../../src/flow/sound.ts';
import type { Named } from '../../data/names.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { withNames } from './names.ts';
import type { PacedCall } from './paced-call.ts';

type NameOf = (reference: string) => Named;

interface DisplayProps {
  readonly paced: PacedCall;
  readonly flow: Flow;
  readonly nameOf: NameOf;
}

export function Display({ paced, flow, nameOf }: DisplayProps) {
  const words = useWords();
  const { t } = words;
  const { phase } = paced.call.state;
  const { playing } = paced.call;
  const heard = playing && t('simulator.now.hears', { name: soundName(playing.sound, flow, words) });
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

function soundName(sound: Sound, flow: Flow, { t }: Words): string {
  if (sound.kind === 'recording') return flow.recordings.get(sound.id)?.name ?? sound.id;
  if (sound.kind === 'tone') return t('simulator.sound.tone');
  const { prompt } = sound;
  switch (prompt) {
    case 'apology':
    case 'voicemail-greeting':
    case 'message-saved':
    case 'room-pin':
    case 'room-pin-wrong':
    case 'room-name':
    case 'music-on-hold':
      return t(`simulator.sound.${prompt}`);
    default:
      return t('simulator.sound.position');
  }
}
