// What a page does while it is used, counted instead of timed: the same on every machine, however busy.
import type { CDPSession, Page } from 'playwright-core';

export interface PageWork {
  /** How often functions, loops and branches of its scripts ran, by V8's count. */
  readonly blocks: number;
  /** Elements and texts that came, and attributes and texts that changed. */
  readonly made: number;
  readonly changed: number;
  /** How often a canvas was drawn. */
  readonly drawings: number;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** In the page, from its start on. */
const COUNTS = `(() => {
  const counts = window.pageCounts = { made: 0, changed: 0, drawings: 0 };
  new MutationObserver((records) => {
    for (const { type, addedNodes } of records)
      if (type === 'childList') for (const node of addedNodes) counts.made += 1 + (node.querySelectorAll?.('*').length ?? 0);
      else counts.changed += 1;
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const begin = CanvasRenderingContext2D.prototype.setTransform;
  CanvasRenderingContext2D.prototype.setTransform = function (...all) { counts.drawings += 1; return begin.apply(this, all); };
})()`;

/** In the page: resolves when React has rendered what changed. Its scheduler uses messages, too, which this comes behind. */
export const DRAWN = `() => new Promise((done) => {
  const { port1, port2 } = new MessageChannel();
  let rounds = 0;
  port1.onmessage = () => (++rounds < 5 ? port2.postMessage(0) : (port1.close(), done()));
  port2.postMessage(0);
})`;

export class PageCounter {
  readonly #page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  /** Before the page is opened: blocks are counted in what is compiled from here on. */
  static async on(page: Page): Promise<PageCounter> {
    const session = await page.context().newCDPSession(page);
    await session.send('Profiler.enable');
    await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await page.addInitScript(COUNTS);
    return new PageCounter(page, session);
  }

  async during(act: () => Promise<unknown>): Promise<PageWork> {
    await this.#take();
    await act();
    return this.#take();
  }

  /** What it was since it was last taken. */
  async #take(): Promise<PageWork> {
    const { result } = (await this.#session.send('Profiler.takePreciseCoverage')) as Coverage;
    const ranges = result
      .filter(({ url }) => url.includes('/console/'))
      .flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
    const counts = await this.#page.evaluate(`(() => {
      const counts = { ...pageCounts };
      Object.assign(pageCounts, { made: 0, changed: 0, drawings: 0 });
      return counts;
    })()`);
    return {
      blocks: ranges.reduce((sum, { count }) => sum + count, 0),
      ...(counts as Omit<PageWork, 'blocks'>),
    };
  }
}
