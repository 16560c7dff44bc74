// What the button says, by language. A page may say it otherwise with attributes of the same names.
import type { Ending } from './web-call.ts';

export interface ButtonWords extends Record<`ended-${Ending}`, string> {
  readonly call: string;
  readonly panel: string;
  readonly 'hang-up': string;
  readonly mute: string;
  readonly keypad: string;
  readonly star: string;
  readonly hash: string;
  readonly 'your-name': string;
  readonly microphone: string;
  readonly connecting: string;
  readonly ringing: string;
  readonly talking: string;
}

const EN: ButtonWords = {
  call: 'Call us',
  panel: 'Call',
  'hang-up': 'Hang up',
  mute: 'Mute',
  keypad: 'Keypad',
  star: 'Star',
  hash: 'Hash',
  'your-name': 'Your name',
  microphone: 'Please allow the microphone.',
  connecting: 'Connecting…',
  ringing: 'Ringing…',
  talking: 'Connected',
  'ended-done': 'The call has ended.',
  'ended-microphone': 'There is no microphone, or this page may not use it.',
  'ended-unsupported': 'This browser cannot call from this page.',
  'ended-refused': 'Calls from this page are not possible now.',
  'ended-busy': 'All lines are busy. Please try again later.',
  'ended-unanswered': 'The call was not answered.',
  'ended-lost': 'The connection was lost.',
  'ended-failed': 'The call did not work. Please try again.',
};

const HI: ButtonWords = {
  call: 'हमें कॉल करें',
  panel: 'कॉल',
  'hang-up': 'कॉल काटें',
  mute: 'म्यूट करें',
  keypad: 'कीपैड',
  star: 'स्टार',
  hash: 'हैश',
  'your-name': 'आपका नाम',
  microphone: 'कृपया माइक्रोफ़ोन की अनुमति दें।',
  connecting: 'जोड़ा जा रहा है…',
  ringing: 'घंटी बज रही है…',
  talking: 'कॉल जुड़ गई',
  'ended-done': 'कॉल समाप्त हुई।',
  'ended-microphone': 'माइक्रोफ़ोन नहीं है, या इस पेज को उसकी अनुमति नहीं है।',
  'ended-unsupported': 'यह ब्राउज़र इस पेज से कॉल नहीं कर सकता।',
  'ended-refused': 'इस पेज से अभी कॉल करना संभव नहीं है।',
  'ended-busy': 'सभी लाइनें व्यस्त हैं। कृपया बाद में फिर कोशिश करें।',
  'ended-unanswered': 'कॉल का जवाब नहीं मिला।',
  'ended-lost': 'कनेक्शन टूट गया।',
  'ended-failed': 'कॉल नहीं हो सकी। कृपया फिर कोशिश करें।',
};

/** The words for a tag such as hi-IN; English for other languages. */
export const wordsFor = (language: string): ButtonWords => (/^hi\b/i.test(language) ? HI : EN);
