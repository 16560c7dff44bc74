// Whether a text message can be sent to a number: 7 to 15 digits (ITU-T E.164), with or without the plus. An intercom is
// shorter, and keys such as * are no part of it.

export function isTextable(number: string): boolean {
  return /^\+?[0-9]{7,15}$/.test(number);
}
