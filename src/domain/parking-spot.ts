// How a parking spot is named: like a department, with a space in its id, which no record's id has.
import { referenceText, splitReference } from '../kinds/reference.ts';

const PARKING = 'parking ';

export const parkingReference = (number: string): string => referenceText('department', PARKING + number);

/** The number of the spot that a reference, or an id of a department, names; null: it is none. */
export function parkingSpot(department: string): string | null {
  const { id } = splitReference(department);
  return id.startsWith(PARKING) ? id.slice(PARKING.length) : null;
}
