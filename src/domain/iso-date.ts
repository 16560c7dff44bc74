// A moment as the API writes it. Many calls begin and end within one second, and all of that but the milliseconds is the same.

let lastSecond = Number.NaN;
let upToSecond = '';

export function isoDate(epochMs: number): string {
  const wholeMs = Math.trunc(epochMs);
  const second = Math.floor(wholeMs / 1000);
  if (second !== lastSecond) {
    upToSecond = new Date(second * 1000).toISOString().slice(0, -4);
    lastSecond = second;
  }
  const ms = wholeMs - second * 1000;
  const zeros = ms < 10 ? '00' : ms < 100 ? '0' : '';
  return `${upToSecond}${zeros}${ms}Z`;
}
