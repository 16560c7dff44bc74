// Fields that several kinds have.
import { digitsOf, type Field, named, oneOf, optional, pattern, shown, text } from './field.ts';
import { isId } from './reference.ts';
import { NUMBER } from './reference-fields.ts';

/** As safe-fetch takes it. */
export const MAX_URL = 2_048;

export const NAME = text({ min: 1, max: 100 });
export const DESCRIPTION = optional(text({ min: 0, max: 1000, controls: 'allowed' }), '');
export const flag = oneOf([0, 1]);
export const yesNo = (words = '') => oneOf([true, false], words);

export const eid: Field<string> = {
  input: { type: ['string', 'integer'], pattern: '^[A-Za-z0-9._-]{1,64}$' },
  output: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  read(value, at, faults) {
    const id = digitsOf(value);
    if (typeof id === 'string' && isId(id)) return id;
    const form = '1 to 64 letters, digits, ".", "_" or "-"';
    faults.add(at, 'text_malformed', `${named(at)} must be ${form}; it was ${shown(value)}.`);
    return undefined;
  },
};

export const dialable = pattern(
  new RegExp(`^${NUMBER}$`),
  '1 to 32 digits, * or #, with + before them if you like',
);

/** RFC 5321 §4.5.3.1.3 */
const MAX_ADDRESS = 254;

/** A local part, an @, and a host name with a dot. Whether the address exists shows only when mail is sent. */
function isPlausibleAddress(address: string): boolean {
  const at = address.lastIndexOf('@');
  const host = address.slice(at + 1);
  return (
    address.length <= MAX_ADDRESS &&
    at > 0 &&
    // No white space, no control characters, and nothing that a mail header would read as more than one address.
    /^[^\s\p{Cc}<>()[\],;:\\"]+$/u.test(address) &&
    address.indexOf('@') === at &&
    host.includes('.') &&
    host.split('.').every((part) => /^[\p{L}\p{N}-]{1,63}$/u.test(part))
  );
}

export const email: Field<string> = {
  input: { type: 'string', maxLength: MAX_ADDRESS, description: 'an e-mail address' },
  output: { type: 'string' },
  samples: ['support@example.com'],
  read(value, at, faults) {
    if (typeof value === 'string' && isPlausibleAddress(value)) return value;
    faults.add(at, 'text_malformed', `${named(at)} must be an e-mail address; it was ${shown(value)}.`);
    return undefined;
  },
};
