// Days of the week, as records and the API name them.

/** In the order of ISO 8601, in which Monday is 1. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Whether there is such a day, `YYYY-MM-DD` or `MM-DD`; 29 February is one of every year's. */
export function isDay(text: string): boolean {
  const yearly = /^[0-9]{2}-[0-9]{2}$/.test(text);
  if (!yearly && !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const whole = yearly ? `2024-${text}` : text;
  const ms = Date.parse(`${whole}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(whole);
}
