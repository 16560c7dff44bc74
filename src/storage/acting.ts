// Storage in somebody's name: every change that goes through it leaves an entry in the audit.
import type { Actor, Storage } from './storage.ts';

export function acting(storage: Storage, by: Actor): Storage {
  // What is not named here is the storage's own; a copy of all of it for every request would cost more than this.
  const own = Object.create(storage) as Storage;
  own.createRecord = (input) => storage.createRecord({ ...input, by });
  own.updateRecord = (input) => storage.updateRecord({ ...input, by });
  own.deleteRecord = (input) => storage.deleteRecord({ ...input, by });
  own.changeSettings = (input) => storage.changeSettings({ ...input, by });
  own.createToken = (input) => storage.createToken({ ...input, by });
  own.revokeToken = (input) => storage.revokeToken({ by, ...input });
  own.markCallRecording = (input) => storage.markCallRecording({ ...input, by });
  own.deleteCallRecording = (input) => storage.deleteCallRecording({ ...input, by });
  own.queueMessages = (input) => storage.queueMessages({ ...input, by });
  return own;
}
