// The timers of a call.

export type TimerName =
  | 'playback' // a sound that should have ended long ago
  | 'first-key' // the menu's time-out (call rule 5)
  | 'inter-digit' // the silence that ends a sequence of keys (call rule 2)
  | 'ring' // no answer (call rule 7)
  | 'directory' // the order of the agents, or the position in the queue, did not come
  | 'voicemail' // the recorder that should have stopped
  | 'queue-wait' // the longest wait in a queue
  | 'queue-announce' // time to announce the position
  | 'queue-offer' // time to offer a call-back
  | 'queue-message' // time for the department's recording between the music
  | 'request' // time to let the caller hear something, then an answer that did not come
  | 'stream' // a voice bot that did not answer, or talked as long as it may
  | 'room' // a room that did not answer, or whose host did not come
  | 'call-limit';

export const NO_TIMERS: Readonly<Record<TimerName, number>> = {
  playback: 0,
  'first-key': 0,
  'inter-digit': 0,
  ring: 0,
  directory: 0,
  voicemail: 0,
  'queue-wait': 0,
  'queue-announce': 0,
  'queue-offer': 0,
  'queue-message': 0,
  request: 0,
  stream: 0,
  room: 0,
  'call-limit': 0,
};
