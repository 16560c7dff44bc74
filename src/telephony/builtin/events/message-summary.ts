// RFC 3842: whether messages wait, and how many. The lamp of a phone goes by the first line, the count on its display by the second.

/** Beyond it a count says no more, and phones have three digits. */
const MOST = 999;

export function messageSummary({
  unheard,
  heard,
}: {
  readonly unheard: number;
  readonly heard: number;
}): string {
  const count = (messages: number): number => Math.min(messages, MOST);
  return [
    `Messages-Waiting: ${unheard > 0 ? 'yes' : 'no'}`,
    // RFC 3842 §5.2: new/old (urgent ones among them).
    `Voice-Message: ${count(unheard)}/${count(heard)} (0/0)`,
    '',
  ].join('\r\n');
}
