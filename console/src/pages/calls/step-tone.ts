/** How a step is marked: what went well, what went wrong, the end, and all the rest. */
export function stepTone(code: string): 'plain' | 'key' | 'good' | 'bad' | 'end' {
  if (code === 'ended') return 'end';
  if (code.startsWith('key')) return 'key';
  if (code === 'connected' || code === 'option-matched' || code === 'voicemail-saved') return 'good';
  return BAD.some((word) => code.includes(word)) ? 'bad' : 'plain';
}

const BAD = ['missing', 'invalid', 'timeout', 'failed', 'unreachable', 'no-answer', 'limit', 'full'];
