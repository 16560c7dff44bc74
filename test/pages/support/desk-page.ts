// The agent's desk in a real browser: what is on the page is used as people use it; its microphone is a tone, and what it hears is measured.
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { PASSWORD } from '../../api/support/people.ts';
import { tabTo } from './console.ts';
import { SOUND_SCRIPT, SoundingPage } from './page-sound.ts';

/** The phone of the page stops its microphone after each call: it gets a copy. */
const SOUNDING = `
  ${SOUND_SCRIPT}
  if (navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async () =>
      new MediaStream(window.sound.microphone.getAudioTracks().map((track) => track.clone()));
  window.tonesMade = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) {
    window.tonesMade.push(this.frequency.value);
    return start.apply(this, at);
  };
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...options) {
      super(...options);
      window.connection = this;
      this.addEventListener('track', ({ streams: [stream] }) => window.sound.listen(stream));
    }
  };
`;

export class DeskPage extends SoundingPage {
  readonly context: BrowserContext;

  /** The agent who signs in with this e-mail address. */
  static async open(browser: Browser, url: string, email: string, look: object = {}): Promise<DeskPage> {
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...look });
    await context.addInitScript(SOUNDING);
    const answer = await context.request.post(`${url}/v1/session`, { data: { email, password: PASSWORD } });
    expect(answer.status(), await answer.text()).toBe(201);
    return new DeskPage(await DeskPage.#visit(context, url), context);
  }

  static async #visit(context: BrowserContext, url: string): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(`${url}/desk`);
    return page;
  }

  private constructor(page: Page, context: BrowserContext) {
    super(page);
    this.context = context;
  }

  /** Another tab of the same browser, signed in as the same. */
  async anotherTab(): Promise<DeskPage> {
    return new DeskPage(await DeskPage.#visit(this.context, new URL(this.page.url()).origin), this.context);
  }

  async ready(): Promise<this> {
    await this.page.getByText('Ready for calls').waitFor();
    return this;
  }

  /** One that goes on, or has just ended. */
  call(who: string | RegExp = /Call with/): Locator {
    return this.page.getByRole('region', { name: who });
  }

  async press(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await within.getByRole('button', { name, exact: typeof name === 'string' }).click();
  }

  /** As the card of the call says: such as `on hold`. */
  async says(text: string, within: Locator = this.call()): Promise<void> {
    await within.getByText(text, { exact: true }).first().waitFor();
  }

  async transfers(to: string, how: 'Transfer now' | 'Ask first'): Promise<void> {
    await this.press('Transfer');
    const dialog = this.page.getByRole('dialog');
    await dialog.getByLabel('To').fill(to);
    await this.press(how, dialog);
  }

  /** With the Tab key, from where the focus is. */
  tabTo(button: string): Promise<void> {
    return tabTo(this.page, (focused) => focused.trim() === button);
  }

  /** Frequencies of the tones that the page has made by itself. */
  tonesMade(): Promise<readonly number[]> {
    return this.page.evaluate('window.tonesMade');
  }

  override state(): Promise<string> {
    return this.page.evaluate('String(window.connection?.connectionState)');
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
