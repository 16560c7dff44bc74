// The SQL for what an account has stored.
import { soundBytes } from '../../domain/recording.ts';
import type { PromptPlace, RowPlace } from '../ports/usage.ts';
import { integer, json, text } from './columns.ts';
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
      return integer(row?.['many'] ?? 0);
    }
  }
};

async function recordedBytes(tx: Tx, accountId: string, kind: string): Promise<number> {
  const [row] = await tx.all('SELECT SUM(bytes) AS used FROM captures WHERE account_id = $1 AND kind = $2', [
    accountId,
    kind,
  ]);
  return integer(row?.['used'] ?? 0);
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
  for (const row of rows) {
    const { sha256, duration_ms } = json<{ sha256: string; duration_ms: number }>(row['json']);
    sounds.set(sha256, soundBytes(duration_ms));
  }
  const last = rows.length < PROMPTS_AT_ONCE ? undefined : rows.at(-1);
  const end = of === 'current' ? FIRST_FORMER : null;
  return {
    sounds: [...sounds].map(([sha256, bytes]) => ({ sha256, bytes })),
    next: last ? { of, id: text(last['id']), version: integer(last['version']) } : end,
  };
};

/** The lengths alone are read: some milliseconds of the database. */
const ROWS_AT_ONCE = 2_000;
const TABLES = ['records', 'record_versions', 'deleted_records'] as const;
const startOf = (of: RowPlace['of']): RowPlace => ({ of, kind: '', id: '', version: 0 });

export const configurationBytes: Operation<'configurationBytes'> = async (tx, { accountId, after }) => {
  const { of, kind, id, version } = after ?? startOf('records');
  const rows =
    of === 'deleted_records'
      ? await tx.all(
          `SELECT '' AS kind, id, 0 AS version, octet_length(json) AS bytes FROM deleted_records
           WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT ${ROWS_AT_ONCE}`,
          [accountId, id],
        )
      : await tx.all(
          `SELECT kind, id, version, octet_length(json) AS bytes FROM ${of}
           WHERE account_id = $1 AND (kind, id, version) > ($2, $3, $4) ORDER BY kind, id, version LIMIT ${ROWS_AT_ONCE}`,
          [accountId, kind, id, version],
        );
  const last = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1);
  const following = TABLES[TABLES.indexOf(of) + 1];
  const next = last
    ? { of, kind: text(last['kind']), id: text(last['id']), version: integer(last['version']) }
    : following === undefined
      ? null
      : startOf(following);
  return { bytes: rows.reduce((sum, row) => sum + integer(row['bytes']), 0), next };
};
