import type { Storage } from '../storage.ts';

/** The storage with some methods of its own: methods of a storage are on its prototype, where a copy of its members has none. */
export function withMethods(storage: Storage, own: Partial<Storage>): Storage {
  const changed: Storage = Object.create(storage);
  return Object.assign(changed, own);
}
