// Wall clocks of time zones, by the platform's own zone data. Local time is handled as "the epoch
// milliseconds a UTC clock would show for the same digits", so that all arithmetic stays plain numbers.

export const DAY_MS = 86_400_000;
const CACHED_ZONES = 1_000;

// Making a formatter costs some 50 µs, using one about 1. Known names only, so the cache stays bounded.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat | null {
  const cached = formatters.get(zone);
  if (cached) return cached;
  try {
    const formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    if (formatters.size >= CACHED_ZONES) formatters.clear();
    formatters.set(zone, formatter);
    return formatter;
  } catch {
    // The platform says RangeError to a name it does not know: an answer, not an accident.
    return null;
  }
}

/** Newer platforms also take offsets such as +05:17; those are no zones, and no other version would know them. */
export function isKnownZone(zone: string): boolean {
  return /^[A-Za-z]/.test(zone) && formatterOf(zone) !== null;
}

/** What the zone's clocks show, minus UTC. An unknown zone counts as UTC; the linter reports it. */
export function offsetMs(zone: string, epochMs: number): number {
  const formatter = formatterOf(zone);
  if (!formatter) return 0;
  const digits = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const part of formatter.formatToParts(epochMs)) {
    if (part.type in digits) digits[part.type as keyof typeof digits] = Number(part.value);
  }
  const { year, month, day, hour, minute, second } = digits;
  const shown = Date.UTC(year, month - 1, day, hour, minute, second);
  return shown - Math.floor(epochMs / 1_000) * 1_000;
}

/** The day a local time falls on, counted from 1970-01-01. */
export function dayOf(localMs: number): number {
  return Math.floor(localMs / DAY_MS);
}

/** 1 = Monday … 7 = Sunday. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** `YYYY-MM-DD`. */
export function dateText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
