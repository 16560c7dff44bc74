// The code of pages, loaded when a page is opened or its link is pointed at.
import { type ComponentType, lazy } from 'react';
import { PAGES, type PageRow } from './routes.ts';

/** Pages whose code is loaded: they render without Suspense. */
const LOADED = new Map<PageRow, ComponentType>();

async function load(row: PageRow): Promise<{ default: ComponentType }> {
  const { Page: Shown } = await row.page();
  LOADED.set(row, Shown);
  return { default: Shown };
}

/** One lazy component per page. */
const LAZY = new Map<PageRow, ComponentType>([...PAGES.values()].map((row) => [row, lazy(() => load(row))]));

export const codeOf = (row: PageRow): ComponentType | undefined => LOADED.get(row) ?? LAZY.get(row);

/** Preloads a page when the pointer is on its link. A failure is reported when the page is opened. */
export const fetchAhead = (row: PageRow): void => void load(row).catch(() => undefined);
