// A day of an exception: `YYYY-MM-DD`, or `MM-DD` for every year; a date field knows the first form alone.

export const isYearly = (day: string): boolean => day.length === 'MM-DD'.length;

/** For the date field: a day of every year is shown in this year, 29 February in a year that has it. */
export function fieldOf(day: string, year: number): string {
  if (!isYearly(day)) return day;
  return `${day === '02-29' ? year + ((4 - (year % 4)) % 4) : year}-${day}`;
}

/** What the date field holds, as a day of one year or of every year. */
export const dayOf = (text: string, yearly: boolean): string =>
  text === '' ? '' : yearly ? text.slice(-'MM-DD'.length) : text;

/** The same day of every year, or of this year. */
export const turned = (day: string, yearly: boolean, year: number): string =>
  dayOf(fieldOf(day, year), yearly);
