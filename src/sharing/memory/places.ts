// Places in queues: numbers that order callers, on all nodes and after a restart.

/** Microseconds: the moment of joining, or the next one. Even; the odd ones between are for call-backs. */
const PER_MS = 1000;
export const placeAt = (ms: number): number => Math.floor(ms * PER_MS);
export const sinceOf = (place: number): number => Math.floor(place / PER_MS);
export const placeAfter = (last: number): number => 2 * Math.floor(last / 2) + 2;
export const callbackPlace = (place: number): number => 2 * Math.floor(place / 2) + 1;
