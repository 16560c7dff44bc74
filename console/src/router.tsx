// Routing by the URL's fragment: it needs no server support and works behind any proxy.
import { type AnchorHTMLAttributes, type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react';

export interface Route {
  readonly path: string;
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

const listeners = new Set<() => void>();
/** Each guard may refuse to leave the page; the first refusal decides. */
const guards = new Set<() => Promise<boolean>>();
let shown = currentHash();
/** By path: the address with its last query. */
const looks = new Map([[readRoute(shown).path, shown]]);
let leaving = false;

function currentHash(): string {
  const hash = typeof location === 'undefined' ? '' : location.hash.slice(1);
  return hash.startsWith('/') ? hash : ownPath();
}

/** The desk has an address of its own, for installing it and for bookmarks. */
function ownPath(): string {
  return typeof location !== 'undefined' && location.pathname === '/desk' ? '/desk' : '/';
}

function show(hash: string): void {
  looks.set(readRoute(hash).path, hash);
  shown = hash;
  for (const listener of listeners) listener();
}

/** A change of the query alone keeps the page and its unsaved changes. */
const isSamePage = (hash: string): boolean => readRoute(hash).path === readRoute(shown).path;

export const hasUnsaved = (): boolean => guards.size > 0;

/** Whether the page may be left: true without unsaved changes, else the user's answer. */
export async function mayLeave(): Promise<boolean> {
  for (const guard of guards) if (!(await guard())) return false;
  return true;
}

/** The browser has already navigated (a link, back, a typed address): a guard that refuses restores the old address. */
async function moved(): Promise<void> {
  const target = currentHash();
  if (target === shown || leaving) return;
  if (guards.size === 0 || isSamePage(target)) return show(target);
  leaving = true;
  history.pushState(null, '', `#${shown}`);
  const leave = await mayLeave();
  leaving = false;
  if (leave) {
    history.replaceState(null, '', `#${target}`);
    show(target);
  }
}

if (typeof addEventListener !== 'undefined') {
  addEventListener('hashchange', () => void moved());
  addEventListener('beforeunload', (event) => {
    if (guards.size > 0) event.preventDefault();
  });
}

export function readRoute(hash: string): Route {
  const [path = '/', query = ''] = hash.split('?', 2);
  return {
    path,
    parts: path.split('/').filter(Boolean).map(decode),
    query: new URLSearchParams(query),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A path of encoded parts. */
export const pathTo = (...parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;

/** For links back: the page with the query that it was left with. */
export const asLeft = (path: string): string => looks.get(path) ?? path;

/** Forgets the queries when another user signs in. */
export const forgetLooks = (): void => looks.clear();

export function useRoute(): Route {
  const hash = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  return useMemo(() => readRoute(hash), [hash]);
}

/** `asked`: mayLeave() has been called. */
export function go(to: string, { replace = false, asked = false } = {}): void {
  void (async () => {
    if (!asked && guards.size > 0 && !isSamePage(to) && !(await mayLeave())) return;
    history[replace ? 'replaceState' : 'pushState'](null, '', `#${to}`);
    show(to);
  })();
}

/** Asks before a page with unsaved changes is left. `ask` resolves to whether to leave. */
export function useGuard(dirty: boolean, ask: () => Promise<boolean>): void {
  useEffect(() => {
    if (!dirty) return;
    guards.add(ask);
    return () => {
      guards.delete(ask);
    };
  }, [dirty, ask]);
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: string;
  readonly children: ReactNode;
}

export function Link({ to, children, ...rest }: LinkProps) {
  return (
    <a href={`#${to}`} {...rest}>
      {children}
    </a>
  );
}
