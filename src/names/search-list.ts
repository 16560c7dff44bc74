// The search list of resolv.conf(5): which names are asked for when a short one was written, such as that of a container or a service.
// c-ares applies it to no single query.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** As in glibc. */
const MAX_NDOTS = 15;
const MAX_DOMAINS = 16;

interface SearchList {
  readonly domains: readonly string[];
  readonly ndots: number;
}

/** The names to ask for, in order. A name with a dot at its end is meant as it is. */
export function searchedNames(name: string, path = '/etc/resolv.conf'): readonly string[] {
  if (name.endsWith('.')) return [name];
  const { domains, ndots } = searchList(path);
  const searched = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length - 1 >= ndots ? [name, ...searched] : [...searched, name];
}

function searchList(path: string): SearchList {
  let domains = ownDomain();
  let ndots = 1;
  for (const line of textOf(path).split('\n')) {
    const [keyword, ...values] = line.trim().split(/\s+/);
    // The last of them counts.
    if (keyword === 'search' || keyword === 'domain') domains = values;
    if (keyword !== 'options') continue;
    for (const value of values)
      if (/^ndots:\d{1,3}$/.test(value)) ndots = Math.min(Number(value.slice(6)), MAX_NDOTS);
  }
  const bare = domains.map((domain) => domain.replace(/^\.|\.$/g, '')).filter((domain) => domain !== '');
  return { domains: bare.slice(0, MAX_DOMAINS), ndots };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function ownDomain(): string[] {
  const own = hostname();
  return own.includes('.') ? [own.slice(own.indexOf('.') + 1)] : [];
}
