// The console beside real telephones: a service that takes calls, our own phones, and a browser that is signed in.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { Lines } from '../../calls/support/lines.ts';
import type { PbxOptions } from '../../support/pbx.ts';
import { missing, type Tools, tools } from './browser.ts';
import { type Look, visit } from './console.ts';

export interface Telephones {
  readonly lines: Lines;
  visit(path: string, use: (page: Page) => Promise<void>, look?: Look): Promise<void>;
}

/** Sound is played to nobody, and without being asked for by a click. */
const FLAGS = ['--autoplay-policy=no-user-gesture-required', '--mute-audio'];

export function describeTelephones(
  name: string,
  options: PbxOptions,
  body: (telephones: Telephones) => void,
): void {
  describe.skipIf(missing !== null)(name, () => {
    let opened: { browser: Browser; lines: Lines } | undefined;
    beforeAll(async () => {
      const [browser, lines] = await Promise.all([(tools as Tools).launch(FLAGS), Lines.open(options)]);
      opened = { browser, lines };
    });
    afterAll(async () => {
      await opened?.browser.close();
      await opened?.lines.close();
    });
    const get = () => {
      if (!opened) throw new Error('the telephones are used before they are there');
      return opened;
    };
    body({
      get lines() {
        return get().lines;
      },
      visit: (path, use, look) => visit(get().browser, get().lines.pbx, path, use, look),
    });
  });
}
