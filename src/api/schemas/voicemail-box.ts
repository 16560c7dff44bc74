// What may be sent for voicemail boxes.
import { type Field, named, optional, shown, text, wholeNumber } from '../../kinds/field.ts';
import { recording } from '../../kinds/reference-fields.ts';
import { stampedSchema } from './output.ts';

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

export const VOICEMAIL_BOX_FIELDS = {
  name: text({ min: 1, max: 100 }),
  greeting: optional(recording(), null),
  max_seconds: optional(wholeNumber(1, 600, 'seconds'), 120),
  silence_seconds: optional(wholeNumber(1, 30, 'seconds'), 5),
  email: optional(email, null),
} as const;

export const VOICEMAIL_BOX_SCHEMAS = { VoicemailBox: stampedSchema(VOICEMAIL_BOX_FIELDS) };
