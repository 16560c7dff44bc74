// Whether a body is a valid IVR: written a second time from contract.md, plainly, and knowing nothing of src.

type Body = { readonly [name: string]: unknown };

const ID = '[A-Za-z0-9._-]{1,64}';
const MAX_BYTES = 256 * 1024;
/** docs/errors.md, body_too_deep and body_too_many_values. */
const MAX_DEPTH = 32;
const MAX_VALUES = 10_000;

const has = (body: Body, name: string): boolean => body[name] !== undefined && body[name] !== null;

/** A number that is still the one that was sent: whole, not negative, below 2^53. */
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isText(value: unknown, { min, max, name }: { min: number; max: number; name: boolean }): boolean {
  if (typeof value !== 'string' || value.includes('\0') || /\p{Cs}/u.test(value)) return false;
  if (name && /\p{Cc}/u.test(value)) return false;
  const { length } = [...(name ? value.trim() : value)];
  return length >= min && length <= max;
}

function isWhole(value: unknown, max: number): boolean {
  const number = typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= max;
}

function isRecording(value: unknown): boolean {
  return (
    isCount(value) || (typeof value === 'string' && new RegExp(`^(recording\\|\\|?)?${ID}$`).test(value))
  );
}

function isDestination(value: unknown, kinds: readonly string[]): boolean {
  return typeof value === 'string' && new RegExp(`^(${kinds.join('|')})\\|\\|?${ID}$`).test(value);
}

function isOption(value: unknown): boolean {
  return /^[0-9*#]{1,6}$/.test(isCount(value) || typeof value === 'string' ? String(value) : '');
}

function isTemplate(value: unknown): boolean {
  if (value === null || value === '' || isCount(value)) return true;
  return typeof value === 'string' && new RegExp(`^${ID}$`).test(value);
}

function areOptions(option: unknown, destination: unknown, kinds: readonly string[]): boolean {
  if (!Array.isArray(option) || !Array.isArray(destination)) return false;
  if (option.length < 1 || option.length > 50 || option.length !== destination.length) return false;
  if (new Set(option.map(String)).size !== option.length) return false;
  return option.every(isOption) && destination.every((one) => isDestination(one, kinds));
}

function areTemplates(templates: unknown, options: number): boolean {
  return Array.isArray(templates) && templates.length <= options && templates.every(isTemplate);
}

export function isValidIvr(text: string, kinds: readonly string[]): boolean {
  if (Buffer.byteLength(text) > MAX_BYTES || isTooMuch(text)) return false;
  let body: Body;
  try {
    body = JSON.parse(text) as Body;
  } catch {
    return false;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const recordings = ['recording', 'invalid_recording', 'timeout_retry_recording', 'timeout_recording'];
  return (
    isText(body['name'], { min: 1, max: 100, name: true }) &&
    isText(body['description'], { min: 0, max: 1000, name: false }) &&
    recordings.every((name) => isRecording(body[name])) &&
    isDestination(body['invalid_destination'], kinds) &&
    isDestination(body['timeout_destination'], kinds) &&
    isWhole(body['timeout'], 600) &&
    isWhole(body['incorrect_count'], 20) &&
    isWhole(body['timeout_tries'], 20) &&
    areOptions(body['option'], body['destination'], kinds) &&
    (!has(body, 'sms_template') ||
      body['sms_template'] === '' ||
      areTemplates(body['sms_template'], (body['option'] as readonly unknown[]).length))
  );
}

/** On the text, since of two members with one name only the last is left after parsing. */
function isTooMuch(text: string): boolean {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/gs, '');
  let depth = 0;
  let deepest = 0;
  for (const letter of bare) {
    if (letter === '[' || letter === '{') deepest = Math.max(deepest, ++depth);
    if (letter === ']' || letter === '}') depth -= 1;
  }
  return deepest > MAX_DEPTH || bare.split(',').length > MAX_VALUES;
}
