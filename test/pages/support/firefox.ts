// Debian's Firefox, by WebDriver BiDi. Where it is missing its tests say so loudly; in CI they fail.
import { existsSync } from 'node:fs';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { it } from 'vitest';
import { type Evaluating, HEARING_HOOKS, SoundingPage } from './page-sound.ts';

const PLACES = [process.env['FIREFOX'] ?? '', '/usr/bin/firefox-esr', '/usr/bin/firefox'];
const executablePath = PLACES.find((place) => place !== '' && existsSync(place));

export const hasFirefox = executablePath !== undefined;
if (!hasFirefox) {
  const missing = "Firefox is not installed (Debian's package firefox-esr): its tests did not run.";
  console.error(`\n*** ${missing} ***\n`);
  it('needs Firefox', ({ skip }) => {
    if (process.env['CI'] === 'true') throw new Error(missing);
    skip(missing);
  });
}

/** It asks for no permission, and has a microphone. What it does with ICE is as Firefox comes: no setting for tests. */
const PREFERENCES = {
  'media.navigator.permission.disabled': true,
  'media.navigator.streams.fake': true,
  'media.autoplay.default': 0,
  'media.autoplay.blocking_policy': 0,
  'media.autoplay.block-webaudio': false,
  // A loudspeaker of Firefox's own tests: an AudioContext stays suspended on a machine without one.
  'media.cubeb.force_mock_context': true,
  'intl.accept_languages': 'en-GB',
};

/** `toneHz`: what its microphone hears. */
export function launchFirefox(toneHz: number): Promise<Browser> {
  return puppeteer.launch({
    browser: 'firefox',
    ...(executablePath === undefined ? {} : { executablePath }),
    headless: true,
    extraPrefsFirefox: { ...PREFERENCES, 'media.navigator.audio.fake_frequency': toneHz },
  });
}

const PATIENCE_MS = 15_000;

/** A page of ours, used by what its controls are called. The microphone is the browser's own. */
export class FirefoxPage extends SoundingPage<Evaluating> {
  readonly tab: Page;

  static async open(browser: Browser): Promise<FirefoxPage> {
    const tab = await browser.newPage();
    tab.setDefaultTimeout(PATIENCE_MS);
    await tab.setViewport({ width: 1280, height: 800 });
    await tab.evaluateOnNewDocument(HEARING_HOOKS);
    return new FirefoxPage(tab);
  }

  private constructor(tab: Page) {
    super({ evaluate: <R>(text: string) => tab.evaluate(text) as Promise<R> });
    this.tab = tab;
  }

  async press(name: string): Promise<void> {
    await this.tab.locator(`::-p-aria([name="${name}"][role="button"])`).click();
  }

  /** Waits for what the page says somewhere. */
  async says(text: string): Promise<void> {
    await this.tab.waitForSelector(`::-p-text(${text})`);
  }

  override state(): Promise<string> {
    return this.page.evaluate('String(window.connections.at(-1)?.connectionState)');
  }
}
