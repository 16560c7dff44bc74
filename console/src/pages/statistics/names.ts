/** Noon, so that no time zone moves it to another day. */
const noonOf = (day: string): Date => new Date(`${day}T12:00:00`);

export const dayName = (language: string, day: string): string =>
  new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(noonOf(day));

export const shortDayName = (language: string, day: string): string =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }).format(noonOf(day));

export function hourName(language: string, hour: string): string {
  return new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' }).format(
    new Date(2026, 0, 1, Number(hour)),
  );
}

export const shortHourName = (hour: string): string => String(Number(hour));
