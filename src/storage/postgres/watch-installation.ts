// Whether the PostgreSQL database still belongs to the installation that opened it.
import type { Installation } from '../ports/installation.ts';
import { StorageError } from '../storage.ts';
import { type LostWatch, type OnLost, watchLost } from '../watch-lost.ts';
import { isSchemaError } from './errors.ts';

/** How often it is asked. */
const WATCH_MS = 1000;

/** The database may be emptied, or dropped and made anew, under a running service: then its installation is another or none. */
export function watchInstallation(
  onLost: OnLost,
  read: () => Promise<Installation | null>,
): LostWatch & { known(installation: Installation): Installation } {
  let known: string | undefined;
  const lost = new StorageError(
    'lost',
    'The PostgreSQL database was deleted or replaced while in use: it belongs to no or another installation. Every request ' +
      'is refused. Restore its backup, or end the service and start it with the right DATABASE_URL.',
    { shown: 'The database was deleted or replaced while in use.' },
  );
  const watch = watchLost(WATCH_MS, onLost, async () => {
    // The answer does not show an installation that is made while this is read.
    const before = known;
    try {
      const found = await read();
      known ??= found?.id;
      return before === undefined || found?.id === before ? null : lost;
    } catch (error) {
      if (before !== undefined && isSchemaError(error)) return lost;
      throw error;
    }
  });
  // One of several threads makes the installation; the others have to know it before it can be lost.
  watch.now().catch(() => undefined);
  return {
    ...watch,
    known: (installation) => {
      known = installation.id;
      return installation;
    },
  };
}
