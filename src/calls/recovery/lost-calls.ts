// Rows of calls whose node died, and what is stored of a call for that case. It is sealed: the tags of a dialog are all that a phone, or
// a node, asks of a request within it (docs/threat-model.md T51).
import { callPlace, type Sealer } from '../../domain/sealer.ts';
import type { StoredLiveCall } from '../../storage/ports/live-calls.ts';
import type { JournalBegin } from '../records/call-journal.ts';
import type { Answer } from '../records/call-record.ts';
import { type LostCall, readStoredCall } from './stored-call.ts';

/** Which node died, which one goes on, and when, by the database's clock. */
export interface Takeover {
  readonly from: string;
  readonly by: string;
  readonly lastSeenMs: number;
  readonly nowMs: number;
}

export function sealCall(stored: string | null, id: string, sealer: Sealer): string | null {
  return stored && sealer.seal(stored, callPlace(id));
}

/** Null if there is nothing to go on with, or it was written with another SECRET_KEY. */
export function readLostCall(row: StoredLiveCall, about: Takeover, sealer: Sealer): LostCall | null {
  const text = row.recovery && sealer.open(row.recovery, callPlace(row.id));
  const stored = text === null ? null : readStoredCall(text);
  if (!stored) return null;
  const { facts, answer } = JSON.parse(row.json) as { facts: JournalBegin; answer: Answer | null };
  const { from, by, lastSeenMs, nowMs } = about;
  const ageMs = row.ageMs + Math.max(0, nowMs - row.writtenAtMs);
  return { stored, facts, answer, ageMs, from, by, silentMs: Math.max(0, nowMs - lastSeenMs) };
}

/** Those that cannot go on. */
export function recoverRows(
  rows: readonly StoredLiveCall[],
  about: Takeover,
  sealer: Sealer,
  recover: (lost: LostCall) => boolean,
  failed: (error: unknown, id: string) => void,
): StoredLiveCall[] {
  return rows.filter((row) => {
    try {
      const lost = readLostCall(row, about, sealer);
      return !lost || !recover(lost);
    } catch (error) {
      failed(error, row.id);
      return true;
    }
  });
}
