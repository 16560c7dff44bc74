// Bytes → a JSON object, with every way in which they can fail to be one named.
import { type Problem, problem } from '../../kinds/problem.ts';

export const MAX_BODY = 256 * 1024;
/** Deeper than any menu; far less than what makes a recursive reader overflow. */
export const MAX_DEPTH = 32;
/** Members and items in all: bounds the work of checking them. */
export const MAX_VALUES = 10_000;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

export function readJsonObject(bytes: Buffer): { value: { [name: string]: unknown } } | Problem {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return problem('body_not_utf8', 'The body is not valid UTF-8.');
  }
  const { depth, values } = measure(text);
  if (depth > MAX_DEPTH)
    return problem('body_too_deep', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  if (values > MAX_VALUES)
    return problem('body_too_many_values', `The body holds more than ${MAX_VALUES} values.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return problem('body_malformed', `The body is not valid JSON: ${reason(error as SyntaxError)}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return problem('body_not_object', 'The body must be a JSON object.');
  }
  return { value: value as { [name: string]: unknown } };
}

/** V8 quotes the text around the fault, which may be anything: only the position is passed on. */
function reason({ message }: SyntaxError): string {
  const position = /at position (\d{1,7})/.exec(message)?.[1];
  if (position) return `the fault is at character ${position}`;
  return message.startsWith('Unexpected end') ? 'it ends too early' : 'it has an unexpected character';
}

/** One pass over the text before it is parsed; exact for valid JSON, and that is all it needs to be. */
function measure(text: string): { depth: number; values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22: // a string: skip to its closing quote
        do {
          index = text.indexOf('"', index + 1);
          if (index < 0) return { depth: deepest, values };
        } while (isEscaped(text, index));
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > deepest) deepest = depth;
        break;
      case 0x5d:
      case 0x7d:
        depth -= 1;
        break;
      case 0x2c:
        values += 1;
        break;
    }
  }
  return { depth: deepest, values };
}

/** A quote after an odd number of backslashes is part of the text. */
function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes += 1;
  return backslashes % 2 === 1;
}
