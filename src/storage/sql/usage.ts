// The SQL for what an account has stored.
import { soundBytes } from '../../domain/recording.ts';
import type { PromptPlace } from '../ports/usage.ts';
import type { Operation } from './operation.ts';
import type { Tx } from './tx.ts';

export const usage: Operation<'usage'> = async (tx, { accountId, of }) => {
  switch (of) {
    case 'voicemail':
      return recordedBytes(tx, accountId, 'voicemail');
    case 'call_recordings':
      return recordedBytes(tx, accountId, 'call');
    case 'records': {
      const [row] = await tx.all('SELECT count(*) AS many FROM records WHERE account_id = $1', [accountId]);
      return Number(row?.['many'] ?? 0);
    }
  }
};

async function recordedBytes(tx: Tx, accountId: string, kind: string): Promise<number> {
  const [row] = await tx.all('SELECT SUM(bytes) AS used FROM captures WHERE account_id = $1 AND kind = $2', [
    accountId,
    kind,
  ]);
  return Number(row?.['used'] ?? 0);
}

/** Recordings or versions of one part: some milliseconds of the database. */
const PROMPTS_AT_ONCE = 200;

const FIRST_FORMER: PromptPlace = { of: 'former', id: '', version: 0 };

export const promptSounds: Operation<'promptSounds'> = async (tx, { accountId, after }) => {
  const { of, id, version } = after ?? { of: 'current', id: '', version: 0 };
  const rows = await tx.all(
    `SELECT id, version, json FROM ${of === 'current' ? 'records' : 'record_versions'}
     WHERE account_id = $1 AND kind = 'recording' AND (id, version) > ($2, $3) ORDER BY id, version LIMIT ${PROMPTS_AT_ONCE}`,
    [accountId, id, version],
  );
  const sounds = new Map<string, number>();
  for (const { json } of rows) {
    const { sha256, duration_ms } = JSON.parse(String(json)) as { sha256: string; duration_ms: number };
    sounds.set(sha256, soundBytes(duration_ms));
  }
  const last = rows.length < PROMPTS_AT_ONCE ? undefined : rows.at(-1);
  const end = of === 'current' ? FIRST_FORMER : null;
  return {
    sounds: [...sounds].map(([sha256, bytes]) => ({ sha256, bytes })),
    next: last ? { of, id: String(last['id']), version: Number(last['version']) } : end,
  };
};
