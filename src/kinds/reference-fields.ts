// Fields that point to other records. Read in any spelling, kept as `kind||id`.

import { digitsOf, type Field, named, shown } from './field.ts';
import { DESTINATION_KINDS } from './lists.ts';
import { isDialable } from './number-text.ts';
import { isId, referenceText, splitReference } from './reference.ts';

const ID = '[A-Za-z0-9._-]{1,64}';
export const NUMBER = '\\+?[0-9*#]{1,32}';

/** Dots alone are a step in a path, which clients resolve before they send it: the record could not be addressed. */
const NEW_ID = '\\.{0,63}[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}';
const NEW_ID_FORM = '1 to 64 letters, digits, ".", "_" or "-", and not dots alone';

/** The id of a new record, where the client chooses it. */
export const CHOSEN_ID: Field<string> = {
  input: {
    type: ['string', 'integer'],
    pattern: `^${NEW_ID}$`,
    maxLength: 64,
    minimum: 0,
    description: `an id of your choice: ${NEW_ID_FORM}; without it, one is made`,
  },
  output: { type: 'string', pattern: `^${ID}$` },
  read(value, at, faults) {
    const id = digitsOf(value);
    if (typeof id === 'string' && isId(id) && !/^\.+$/.test(id)) return id;
    faults.add(at, 'text_malformed', `${named(at)} must be ${NEW_ID_FORM}; it was ${shown(value)}.`);
    return undefined;
  },
};

/** `recording||<id>`, `recording|<id>`, or the bare id as text or number. */
export function recording(): Field<string> {
  const form = 'recording||<id>, where the id is 1 to 64 letters, digits, ".", "_" or "-"';
  return {
    input: {
      anyOf: [
        { type: 'string', pattern: `^(recording\\|\\|?)?${ID}$` },
        { type: 'integer', minimum: 0 },
      ],
      description: form,
    },
    output: { type: 'string', pattern: `^recording\\|\\|${ID}$`, description: form },
    read(value, at, faults) {
      const given = digitsOf(value);
      if (typeof given === 'string') {
        const { kind, id } = splitReference(given);
        if (kind !== '' && kind !== 'recording') {
          const message = `${named(at)} must be ${form}; the kind ${shown(kind)} is not a recording.`;
          faults.add(at, 'recording_unknown_kind', message);
          return undefined;
        }
        if (isId(id) && (kind === 'recording' || !given.includes('|'))) return referenceText('recording', id);
      }
      faults.add(at, 'recording_malformed', `${named(at)} must be ${form}; it was ${shown(value)}.`);
      return undefined;
    },
  };
}

/** Another record of one kind: `<kind>||<id>`, `<kind>|<id>`, or the bare id as text or number. */
export function referenceOf(only: string): Field<string> {
  const form = `${only}||<id>, where the id is 1 to 64 letters, digits, ".", "_" or "-"`;
  return {
    input: {
      anyOf: [
        { type: 'string', pattern: `^(${only}\\|\\|?)?${ID}$` },
        { type: 'integer', minimum: 0 },
      ],
      description: form,
    },
    output: { type: 'string', pattern: `^${only}\\|\\|${ID}$`, description: form },
    read(value, at, faults) {
      const given = digitsOf(value);
      const { kind, id } = typeof given === 'string' ? splitReference(given) : { kind: '', id: '' };
      if (isId(id) && (kind === only || (kind === '' && given === id))) return referenceText(only, id);
      faults.add(at, 'text_malformed', `${named(at)} must be ${form}; it was ${shown(value)}.`);
      return undefined;
    },
  };
}

/** `<kind>||<id>` or `<kind>|<id>`. The id of a number is the number. Whether it may be dialled is another question. */
export function destination(kinds: readonly string[]): Field<string> {
  const form = `<kind>||<id>, where the kind is one of ${kinds.join(', ')}`;
  const schema = (bars: string) => ({
    type: 'string',
    pattern: `^(${kinds.map((kind) => kind + bars + (kind === 'number' ? NUMBER : ID)).join('|')})$`,
    description: form,
  });
  return {
    input: schema('\\|\\|?'),
    output: schema('\\|\\|'),
    read(value, at, faults) {
      const { kind, id } = typeof value === 'string' ? splitReference(value) : { kind: '', id: '' };
      if (kind === '' || !(kind === 'number' ? isDialable(id) : isId(id))) {
        faults.add(at, 'destination_malformed', `${named(at)} must be ${form}; it was ${shown(value)}.`);
        return undefined;
      }
      if (!kinds.includes(kind)) {
        const message = `${named(at)} has the kind ${shown(kind)}; known kinds are ${kinds.join(', ')}.`;
        faults.add(at, 'destination_unknown_kind', message);
        return undefined;
      }
      return referenceText(kind, id);
    },
  };
}

/** Wherever calls can be sent. */
export const DESTINATION = destination(DESTINATION_KINDS);
