// The events of recorded conversations and messages, once they are stored.
import { readData } from '../../domain/row.ts';
import type { CallRecordingRow } from '../../storage/ports/call-recordings.ts';
import type { Storage } from '../../storage/storage.ts';
import type { CallEvents } from '../events/call-events.ts';
import type { CallRecordingFacts } from './call-recordings.ts';

/** The e-mail address of the box is read now: boxes change. */
export async function publishSaved(
  row: CallRecordingRow,
  { call }: CallRecordingFacts,
  storage: Pick<Storage, 'getRecord'>,
  callEvents: CallEvents,
): Promise<void> {
  const { id, box, durationMs: duration_ms, startedAtMs } = row;
  const atMs = Math.round(startedAtMs + row.durationMs);
  if (row.kind === 'call') {
    const recording = { id, agent: row.eid, duration_ms, audio: `/v1/call/recording/${id}/audio` };
    callEvents.publish('call.recorded', call, atMs, { recording });
    return;
  }
  const address = { accountId: row.accountId, kind: 'voicemail', id: box ?? '' } as const;
  // On failure CallRecordings calls again later: otherwise the e-mail would be lost.
  const stored = await storage.getRecord(address);
  const { name = null, email = null } = stored ? readData('voicemail', stored.json) : {};
  const voicemail = { id, box, box_name: name, email, duration_ms, audio: `/v1/voicemail/${id}/audio` };
  callEvents.publish('voicemail.received', call, atMs, { voicemail });
}
