// One page in every look: light and dark, wide and narrow, without loading it anew.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axe } from './console.ts';

const WIDTHS = [1280, 320] as const;

/** axe-core finds nothing, and nothing is wider than the screen. */
export async function expectCleanLooks(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await axe(page), `${width} ${colorScheme}`).toEqual([]);
    }
    // Charts measure the room they have, and are drawn a moment later.
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
