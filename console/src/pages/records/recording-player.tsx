import type { Recording } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client, recordingAudioUrl } from '../../data/client.ts';
import { Player } from '../../kit/player.tsx';

interface RecordingPlayerProps {
  readonly recording: Pick<Recording, 'id' | 'version' | 'name'>;
  /** How many points its waveform has. */
  readonly points: number;
}

export function RecordingPlayer({ recording: { id, version, name }, points }: RecordingPlayerProps) {
  const waveform = useAsk(
    (signal) => client.getRecordingWaveform({ params: { id }, query: { points }, signal }),
    [id, version],
  );
  return (
    <Player
      src={recordingAudioUrl(id, version)}
      label={name}
      {...(waveform.value ? { peaks: waveform.value.peaks } : {})}
    />
  );
}
