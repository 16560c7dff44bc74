// 2,000 things on the map: what a step of the mouse costs, beside a tenth of them. bench/console-frames.ts times it.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Sizes, TWO_THOUSAND } from '../../console/src/pages/map/testing/big-account.ts';
import { fill } from './support/big-account.ts';
import { type AccountConsole, describeAccount, stopClock } from './support/console.ts';
import { chooseIn } from './support/forms.ts';
import { DRAWN, PageCounter, type PageWork } from './support/page-work.ts';

const STEPS = 60;
const A_TENTH = Object.fromEntries(
  Object.entries(TWO_THOUSAND).map(([kind, count]) => [kind, count / 10]),
) as unknown as Sizes;

/** How often the wheel turns in one direction before it turns in the other; null: the map is dragged. */
type Gesture = number | null;
const PAN = null;

interface Moved extends PageWork {
  /** After how many of the steps the view was another than before. */
  readonly moved: number;
}

/** Step by step, each drawn before the next: how many frames a machine shows meanwhile makes no difference. */
async function move(page: Page, gesture: Gesture): Promise<number> {
  return (await page.evaluate(`(async () => {
    const view = document.querySelector('.react-flow__viewport');
    const pane = document.querySelector('.react-flow__pane');
    const mouse = (type, x, y, more = {}) => new MouseEvent(type, {
      bubbles: true, cancelable: true, view: window, button: 0, buttons: 1, clientX: x, clientY: y, ...more });
    const pans = ${gesture === PAN};
    const at = (turn) => [760 + 380 * Math.sin(turn * 0.12), 450 + 220 * Math.sin(turn * 0.156)];
    const drawn = ${DRAWN};
    if (pans) pane.dispatchEvent(mouse('mousedown', ...at(0)));
    let moved = 0;
    for (let turn = 1; turn <= ${STEPS}; turn += 1) {
      const before = view.style.transform;
      if (pans) window.dispatchEvent(mouse('mousemove', ...at(turn)));
      else pane.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, view: window,
        clientX: 700, clientY: 420, deltaY: turn % (2 * ${gesture}) < ${gesture} ? -80 : 80 }));
      await drawn();
      if (view.style.transform !== before) moved += 1;
    }
    if (pans) window.dispatchEvent(mouse('mouseup', ...at(${STEPS}), { buttons: 0 }));
    await drawn();
    return moved;
  })()`)) as number;
}

/** By gesture. The map of an account with at least so many nodes; `menu` is one of its menus. */
async function workOf(
  console_: AccountConsole,
  least: number,
  menu: string,
): Promise<ReadonlyMap<string, Moved>> {
  const all = new Map<string, Moved>();
  await console_.visit('/calls', async (page) => {
    const counter = await PageCounter.on(page);
    await page.clock.install();
    await page.goto(`${console_.service.url}/?work#/map?agents=all&shelf=open`);
    await page.getByRole('application', { name: 'Call flow map' }).waitFor();
    const nodes = await page.locator('.map-picture').getAttribute('data-nodes');
    expect(Number(nodes)).toBeGreaterThanOrEqual(least);
    const count = async (name: string, gesture: Gesture): Promise<void> => {
      // A view that rests is drawn anew, which is another matter: nothing rests while the clock stands.
      await stopClock(page);
      let moved = 0;
      const work = await counter.during(async () => {
        moved = await move(page, gesture);
      });
      all.set(name, { ...work, moved });
      await page.clock.resume();
    };
    await count('all of it, panned', PAN);
    await count('from afar to near and back, zoomed', 30);
    // To where cards can be read, on what a search finds.
    await chooseIn(page.getByRole('combobox', { name: 'Find on the map' }), menu);
    await page.locator('.map-card-selected').waitFor();
    await count('near, panned', PAN);
    await count('near, zoomed', 6);
  });
  return all;
}

describeAccount('The map', {}, (few) => {
  describeAccount('with 2,000 nodes', {}, (many) => {
    it('pans and zooms with a picture that is moved along, whatever its size', async () => {
      await fill(few.service, A_TENTH);
      await fill(many.service, TWO_THOUSAND);
      const small = await workOf(few, 200, 'Menu 45');
      for (const [name, work] of await workOf(many, 2_000, 'Menu 450')) {
        const { blocks, made, changed, drawings, moved } = work;
        console.info(`${name}: ${JSON.stringify(work)}`);
        // Ten times the nodes: at most fifteen times the work.
        expect(blocks, name).toBeLessThan(15 * (small.get(name)?.blocks ?? 0));
        // Drawn where the view leaves what is drawn, not at each step; elements come for some hundred cards at most.
        expect(drawings, name).toBeLessThanOrEqual(STEPS / 3);
        expect(made, name).toBeLessThan(1_000);
        expect(changed, name).toBeLessThan(20 * STEPS);
        // A picture that stands still costs nothing. At both ends of the range a zoom goes no further.
        expect(moved, name).toBeGreaterThan(0.6 * STEPS);
      }
    });
  });
});
