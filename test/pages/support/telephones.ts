// The console beside real telephones: a service that takes calls, our own phones, and a browser that is signed in.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { PhoneBed } from '../../calls/support/phone-bed.ts';
import type { PbxOptions } from '../../support/pbx.ts';
import { closePages, missing, sharedBrowser } from './browser.ts';
import { type Look, visit } from './console.ts';

export interface Telephones {
  readonly bed: PhoneBed;
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
    let opened: { browser: Browser; bed: PhoneBed } | undefined;
    beforeAll(async () => {
      const [browser, bed] = await Promise.all([sharedBrowser(FLAGS), PhoneBed.open(options)]);
      opened = { browser, bed };
    });
    afterAll(async () => {
      await closePages(opened?.browser);
      await opened?.bed.close();
    });
    const get = () => {
      if (!opened) throw new Error('the telephones are used before they are there');
      return opened;
    };
    body({
      get bed() {
        return get().bed;
      },
      visit: (path, use, look) => visit(get().browser, get().bed.pbx, path, use, look),
    });
  });
}
