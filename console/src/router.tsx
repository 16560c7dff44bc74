// Pages by what stands behind the # of the address: it needs nothing of the server and works behind any proxy.
import { type AnchorHTMLAttributes, type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react';

export interface RoutePlace {
  readonly path: string;
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

const listeners = new Set<() => void>();
/** Each asks whether to stay; the first that says so decides. */
const guards = new Set<() => Promise<boolean>>();
let shown = currentHash();
/** By path: the address with what stood behind the question mark last. */
const looks = new Map([[readPlace(shown).path, shown]]);
let leaving = false;

function currentHash(): string {
  const hash = typeof location === 'undefined' ? '' : location.hash.slice(1);
  return hash.startsWith('/') ? hash : '/';
}

function show(hash: string): void {
  looks.set(readPlace(hash).path, hash);
  shown = hash;
  for (const listener of listeners) listener();
}

/** What stands behind the question mark is how a page is looked at: nothing is lost by another look. */
const isSamePage = (hash: string): boolean => readPlace(hash).path === readPlace(shown).path;

export const hasUnsaved = (): boolean => guards.size > 0;

/** Whether whoever has unsaved changes agrees to lose them; true where there are none. */
export async function mayLeave(): Promise<boolean> {
  for (const guard of guards) if (!(await guard())) return false;
  return true;
}

/** The browser has moved already (a link, back, a typed address): a guard that says no moves it back. */
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

export function readPlace(hash: string): RoutePlace {
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

/** A path from parts that may hold anything. */
export const pathTo = (...parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;

/** For links back: a page as whoever looks at it has left it. */
export const asLeft = (path: string): string => looks.get(path) ?? path;

/** What one has searched for is nothing to whoever signs in next. */
export const forgetLooks = (): void => looks.clear();

export function useRoute(): RoutePlace {
  const hash = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  return useMemo(() => readPlace(hash), [hash]);
}

/** `asked`: by mayLeave() already. */
export function go(to: string, { replace = false, asked = false } = {}): void {
  void (async () => {
    if (!asked && guards.size > 0 && !isSamePage(to) && !(await mayLeave())) return;
    history[replace ? 'replaceState' : 'pushState'](null, '', `#${to}`);
    show(to);
  })();
}

/** Whoever leaves with unsaved changes is asked first. `ask` answers whether to leave. */
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
