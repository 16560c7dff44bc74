// A real browser: Debian's chromium, or the one CHROMIUM names. Its shell without windows draws the same pages for two thirds of the
// processor time.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';

const FLAGS = (
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking ' +
  '--disable-component-update --disable-sync'
).split(' ');

export interface Tools {
  readonly launch: (more?: readonly string[]) => Promise<Browser>;
  readonly axe: string;
}

/** The browser and what steers it, or in words what is missing. */
export async function findTools(): Promise<Tools | string> {
  const playwright = await import('playwright-core').catch(() => null);
  if (!playwright) return 'the package playwright-core is not installed';
  const places = [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const given = process.env['CHROMIUM'];
  const executablePath = (given ? [given] : [...places, playwright.chromium.executablePath()]).find(
    existsSync,
  );
  if (!executablePath) return 'there is no Chromium: install it, or set CHROMIUM to where it is';
  try {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const launch = (more: readonly string[] = []): Promise<Browser> =>
      playwright.chromium.launch({ executablePath, args: [...FLAGS, ...more] });
    return { axe, launch };
  } catch {
    return 'the package axe-core is not installed';
  }
}

/** A function for Locator.evaluate, written as text: the types of the page's own objects are not known here. */
export const inPage = <R>(source: string): ((element: unknown) => R) =>
  new Function('element', `return (${source})(element);`) as (element: unknown) => R;
