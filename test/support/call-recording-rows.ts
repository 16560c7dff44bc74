// A voicemail message or a recorded call as the service would have left it: a row and a file.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wavHeader } from '../../src/calls/records/call-recording-file.ts';
import type { CallRecordingRow } from '../../src/storage/ports/call-recordings.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { toneRecording } from './phone/tone-recording.ts';

export async function storeCallRecording(
  storage: Storage,
  dataDir: string,
  changes: Partial<CallRecordingRow> & Pick<CallRecordingRow, 'accountId' | 'id'>,
): Promise<CallRecordingRow> {
  const audio = toneRecording(1_270, 1_000);
  const file = Buffer.concat([wavHeader(1, audio.length), audio]);
  const row: CallRecordingRow = {
    kind: 'voicemail',
    callId: 'call',
    box: 'support',
    eid: null,
    caller: '030',
    callerName: '',
    dialled: '100',
    startedAtMs: Date.parse('2026-11-15T10:00:00Z'),
    durationMs: 1_000,
    bytes: file.length,
    heardAtMs: null,
    place: null,
    ...changes,
  };
  const folder = join(dataDir, 'captures', row.accountId);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${row.id}.wav`), file);
  await storage.saveCallRecording(row);
  return row;
}
