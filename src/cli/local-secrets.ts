// What an operator on the machine of the service has of an account beside the API, which neither shows nor takes it: secrets, SIP
// digests, and sounds as they are stored.
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SealedKind, sealedPlace } from '../domain/sealed.ts';
import { uniqueKeys } from '../domain/unique-keys.ts';
import type { Change } from '../import-export/plan.ts';
import type { RecordKind } from '../kinds/lists.ts';
import type { StoredRecord } from '../kinds/record.ts';
import { makeFolder, unlessAbsent } from '../kit/data-folder.ts';
import { makeSealer } from '../kit/sealing.ts';
import { openPrompts } from '../service/open-prompts.ts';
import { MAX_PROMPTS } from '../storage/ports/prompts.ts';
import { hashOfSound, loadPrompt } from '../storage/ports/whole-prompt.ts';
import type { LocalAccount } from './account-api.ts';
import { CommandError } from './command.ts';
import { readKind } from './stored-records.ts';

export type LocalSecrets = ReturnType<typeof localSecrets>;

export function localSecrets({ storage, account, config }: LocalAccount) {
  const { id: accountId, name } = account;
  const sealer = makeSealer(config);
  const files = openPrompts(config, storage, { warn: () => undefined });
  return {
    name,
    /** The records of a kind, as they are stored. */
    stored: (kind: RecordKind): Promise<StoredRecord<object>[]> => readKind(storage, accountId, kind),
    seal: (kind: SealedKind, id: string, secret: string): string =>
      sealer.seal(secret, sealedPlace(kind, accountId, id)),
    open: (kind: SealedKind, id: string, sealed: string): string | null =>
      sealer.open(sealed, sealedPlace(kind, accountId, id)),
    /** Those of the sounds that are missing here. */
    async lost(sha256s: readonly string[]): Promise<ReadonlySet<string>> {
      const lost = new Set<string>();
      for (let from = 0; from < sha256s.length; from += MAX_PROMPTS)
        for (const sha256 of await files.lost(sha256s.slice(from, from + MAX_PROMPTS))) lost.add(sha256);
      return lost;
    },
    /** What the hash names, wherever the record leads meanwhile. Null if it is missing, or damaged. */
    async sound(sha256: string): Promise<Buffer | null> {
      const wav = await unlessAbsent(readFile(files.pathOf(sha256)), null);
      if (wav && hashOfSound(wav) === sha256) return wav;
      return config.databaseUrl === undefined ? null : loadPrompt(storage, sha256);
    },
    async putSound(sha256: string, wav: Buffer): Promise<void> {
      await putFile(files.folder, files.pathOf(sha256), wav);
      await files.share(sha256, wav);
    },
    /** As it is, without the API. Throws CommandError when the record was changed meanwhile. */
    async write({ action, kind, id, version, data, title }: Change): Promise<void> {
      const row = { accountId, kind, id, atMs: Date.now(), json: JSON.stringify(data) };
      const record = { ...row, ...uniqueKeys(kind, id, data) };
      const result =
        action === 'create'
          ? await storage.createRecord(record)
          : await storage.updateRecord({ ...record, expectedVersion: version ?? 0 });
      if (result.outcome === 'created' || result.outcome === 'updated') return;
      if (result.outcome === 'network_taken')
        throw new CommandError(
          `${title} cannot be stored: a trunk of another account has the address ${result.network}. Change addresses in the file, or that trunk, and run the import again.`,
        );
      if (result.outcome === 'key_retired')
        throw new CommandError(
          `${title}: its ${result.key.name} belonged to a former ${kind} of the account and is never given again: change it in the file.`,
        );
      throw new CommandError(`${title} was changed meanwhile (${result.outcome}): run the import again.`);
    },
  };
}

/** On disk before any record points to it, whole or not at all. */
async function putFile(folder: string, file: string, content: Buffer): Promise<void> {
  makeFolder(folder);
  // A damaged file is replaced.
  const present = await unlessAbsent(readFile(file), null);
  if (present?.equals(content)) {
    // Touched, so that a sweep leaves it to the record that is about to point to it.
    await utimes(file, new Date(), new Date());
    return;
  }
  const part = join(folder, `${randomUUID()}.part`);
  try {
    await writeFile(part, content, { mode: 0o600, flush: true });
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}
