// An account of the database, as export and import use it. The service may be running meanwhile.
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Config } from '../config/config.ts';
import { type SealedKind, sealedPlace } from '../domain/sealed.ts';
import { uniqueKeys } from '../domain/unique-keys.ts';
import type { Change } from '../import-export/plan.ts';
import { newPassword } from '../kit/credentials.ts';
import { makeFolder, unlessAbsent } from '../kit/data-folder.ts';
import { makeSealer } from '../kit/sealing.ts';
import { makeWebhookSecret } from '../kit/webhook-signature.ts';
import type { StoredAccount } from '../storage/ports/accounts.ts';
import { MAX_PROMPTS } from '../storage/ports/prompts.ts';
import { loadPrompt, storePrompt } from '../storage/ports/whole-prompt.ts';
import type { Storage } from '../storage/storage.ts';
import type { AccountSource, AccountTarget, NewSecret } from './account-access.ts';
import { CommandError } from './command.ts';
import { readAccount, settingsOf } from './subject.ts';

export function localAccount(
  storage: Storage,
  account: StoredAccount,
  config: Config,
): AccountSource & AccountTarget {
  const { id: accountId } = account;
  const sealer = makeSealer(config);
  const folder = join(config.dataDir, 'recordings');
  const soundFile = (sha256: string): string => join(folder, `${sha256}.wav`);
  const sealingPlace = (kind: SealedKind, id: string): string => sealedPlace(kind, accountId, id);
  const openSecret = (kind: SealedKind, id: string, sealed: string): string | null =>
    sealer.open(sealed, sealingPlace(kind, id));
  /** On PostgreSQL the database has the sounds, for every node. */
  const isShared = config.databaseUrl !== undefined;
  const stored = new Set<string>();
  /** Secrets of records that are not written yet. */
  const made = new Map<string, NewSecret>();
  return {
    name: account.name,
    records: () => readAccount(storage, accountId),
    settings: async () => settingsOf(account),
    limits: async () => account.limits,
    takesDigests: true,
    openSecret,
    open: openSecret,
    seal: (kind, id, secret) => sealer.seal(secret, sealingPlace(kind, id)),
    newDigests(eid, intercom) {
      const { password, sip } = newPassword(intercom);
      made.set(`agent ${eid}`, { kind: 'agent', cells: [eid, intercom, password] });
      return sip;
    },
    newWebhookSecret(name) {
      const secret = makeWebhookSecret();
      made.set(`webhook ${name}`, { kind: 'webhook', cells: [name, secret] });
      return secret;
    },
    async sound({ sha256 }) {
      const file = soundFile(sha256);
      const found = await unlessAbsent(stat(file), null);
      if (found) return { bytes: found.size, read: () => createReadStream(file) };
      const wav = isShared ? await loadPrompt(storage, sha256) : null;
      return wav && { bytes: wav.length, read: () => Readable.from([wav]) };
    },
    async lookForSounds(sha256s) {
      for (let from = 0; isShared && from < sha256s.length; from += MAX_PROMPTS)
        for (const sha256 of await storage.storedPrompts(sha256s.slice(from, from + MAX_PROMPTS)))
          stored.add(sha256);
    },
    hasSound: ({ sha256 }) => stored.has(sha256) || existsSync(soundFile(sha256)),
    async putSound({ sha256 }, wav) {
      await putFile(folder, soundFile(sha256), wav);
      if (isShared) await storePrompt(storage, sha256, wav);
    },
    takeTeamNumber: () => storage.takeNumber({ accountId, kind: 'team', name: 'id', from: 1 }),
    changeSettings: async (changes) => void (await storage.changeSettings({ accountId, changes })),
    async write(change) {
      await writeRecord(storage, accountId, change);
      if (change.kind === 'agent') return made.get(`agent ${change.data.eid}`) ?? null;
      return change.kind === 'webhook' ? (made.get(`webhook ${change.data.name}`) ?? null) : null;
    },
  };
}

async function writeRecord(storage: Storage, accountId: string, change: Change): Promise<void> {
  const { action, kind, id, version, data, title } = change;
  const record = {
    accountId,
    kind,
    id,
    atMs: Date.now(),
    json: JSON.stringify(data),
    ...uniqueKeys(kind, id, data),
  };
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
      `${title}: its ${kind === 'team' ? 'number' : 'eid'} belonged to a former ${kind} of the account and is never given again: change it in the file.`,
    );
  throw new CommandError(`${title} was changed meanwhile (${result.outcome}): run the import again.`);
}

/** On disk before any record points to it, whole or not at all. */
async function putFile(folder: string, file: string, content: Buffer): Promise<void> {
  makeFolder(folder);
  if (existsSync(file)) {
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
