// Bundles the program before the tests, unless it is as new as its sources, so that they run what users run; and offers the files of the
// run what they share (shared.ts).
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { isFresh } from '../../bin/build.js';
import { isTold, type Shared, tellPlace } from './shared.ts';

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!isFresh())
    execFileSync(process.execPath, [fileURLToPath(new URL('../../bin/build.js', import.meta.url))], {
      stdio: 'inherit',
    });
  // Each project of a run has this set-up.
  return isTold() ? undefined : offerShared();
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
