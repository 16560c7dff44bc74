// Bundles the program before the tests, unless it is as new as its sources, so that they run what users run; offers the files of the
// run what they share (shared.ts); and gives them a folder for temporary files that is removed with the run.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isFresh } from '../../bin/build.js';
import { isTold, type Shared, tellPlace } from './shared.ts';

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!isFresh())
    execFileSync(process.execPath, [fileURLToPath(new URL('../../bin/build.js', import.meta.url))], {
      stdio: 'inherit',
    });
  // Each project of a run has this set-up.
  if (isTold()) return undefined;
  const removeFolder = makeFolder();
  const endShared = await offerShared();
  return async () => {
    await endShared();
    removeFolder();
  };
}

/** Large enough for what all suites write at one moment. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** In memory where there is room: hundreds of new databases would wait for the disk at each commit. */
function makeFolder(): () => void {
  const folder = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'dialtree-tests-'));
  // PostgreSQL of these tests runs as a user of its own.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  return remove;
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}

/** The answer ends what was begun. */
async function offerShared(): Promise<() => Promise<void>> {
  // Most runs of a few files ask for nothing, and load none of it.
  let loaded: Promise<typeof import('./offers.ts')> | undefined;
  const server = createServer(async ({ url = '' }, response) => {
    try {
      loaded ??= import('./offers.ts');
      const { offers } = await loaded;
      response.end(JSON.stringify(await offers[url.slice(1) as keyof Shared]()));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  tellPlace(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  return async () => {
    server.close();
    await (await loaded)?.endOffers();
  };
}
