// Every page there is, by the table that the console itself is made of, and the wait for one that has come to rest.
import { readFileSync } from 'node:fs';
import type { Page, Request } from 'playwright-core';
import type { Company } from './company.ts';

/** '/', '/map', '/agents' …: the paths of console/src/routes.ts. Read as text: its pages are not for Node. */
export const PAGES: readonly string[] = [
  ...readFileSync(new URL('../../../console/src/routes.ts', import.meta.url), 'utf8').matchAll(
    /\{ path: '([^']*)'/g,
  ),
].map(([, path = '']) => `/${path}`);

/** Pages that show one thing. */
export const detailsOf = (company: Company, call: string): readonly string[] => [
  `/menus/${company.menus.welcome}`,
  `/agents/${company.agents[0]?.eid}`,
  `/departments/${company.departments.bookings}`,
  `/hours/${company.hours}`,
  `/recordings/${company.recording}`,
  `/voicemail/${company.box}`,
  `/calls/${call}`,
  '/no-such-page',
];

/** Requests under way, without those that never end. */
const underWay = new WeakMap<Page, Set<Request>>();

export function countRequests(page: Page): void {
  const open = new Set<Request>();
  underWay.set(page, open);
  const ended = (request: Request): void => void open.delete(request);
  page.on('request', (request) => {
    if (!request.headers()['accept']?.includes('event-stream')) open.add(request);
  });
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  // What is left when the page goes will never end.
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame())
      for (const request of [...open]) if (request.isNavigationRequest()) open.delete(request);
  });
}

const QUIET_MS = 120;
const PATIENCE_MS = 60_000;

/** A heading, nothing that loads, and no request for a moment. */
export async function settle(page: Page): Promise<void> {
  const open = underWay.get(page);
  const startedMs = performance.now();
  for (let quietMs: number | null = null; quietMs === null || performance.now() - quietMs < QUIET_MS; ) {
    // Asked from outside: what waits inside a page would have to be evaluated there, which the policy forbids.
    const ready = await page.evaluate(`document.querySelector('h1') && !document.querySelector('.loading')`);
    if (!ready || (open && open.size > 0)) quietMs = null;
    else quietMs ??= performance.now();
    if (quietMs === null && performance.now() - startedMs > PATIENCE_MS) {
      const requests = [...(open ?? [])].map((one) => one.url()).join(' ');
      throw new Error(ready ? `still asks for ${requests}` : 'has no heading, or loads for ever');
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Within the console, as a link does it. */
export async function goTo(page: Page, path: string): Promise<void> {
  // The heading of the page before must not be taken for this one's: first the console has to have heard of it.
  await page.evaluate(`new Promise((done) => {
    const hash = ${JSON.stringify(`#${path}`)};
    const drawn = () => requestAnimationFrame(() => requestAnimationFrame(done));
    if (location.hash === hash) return drawn();
    addEventListener('hashchange', drawn, { once: true });
    location.hash = hash;
  })`);
  await settle(page);
}
