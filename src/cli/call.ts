// dialtree call: a telephone in the terminal.
import { CALL_OPTIONS, readCallWords } from './call-words.ts';
import type { Command } from './command.ts';

export const call: Command = {
  usage: [
    [
      'call <number> [--keys 1] [--from <number>] [--say <text>|<file>] [--server <host:port>]',
      'call from the terminal, say something, and report what is heard',
    ],
  ],
  details: [
    '--keys "1,,2"         keys to press; each comma waits a second. They wait until something has been heard for a',
    '                      second, or for as long as --after <ms> says.',
    '--from <number>       the number of the caller; without it the caller is "dialtree". The service takes such calls on its own',
    '                      machine, and from the addresses of trunks.',
    '--password <p>        the SIP password of the agent whose intercom number --from is: the call comes from the agent.',
    '--say <text>|<file>   say this after the answer: a text, which espeak-ng (TTS_COMMAND) speaks, or a sound file. It waits for a',
    '                      second, or for as long as --after <ms> says.',
    '--server <host:port>  where to call; default: the host of DIALTREE_URL, or this machine, at SIP_PORT.',
    '--transport tcp       instead of udp.',
    '--seconds <n>         hang up so long after the answer; default 60, and 0 waits for the other end.',
    '--save <file.wav>     keep what was heard.',
    '',
    '“Speech” is whatever sounds and is no steady tone. The exit code is 0 when the call was answered and ended well,',
    '1 when it was refused or failed. Ctrl-C hangs up.',
  ],
  options: CALL_OPTIONS,
  examples: [
    'call 100 --keys 1',
    'call 100 --from +498912345 --say "Please call me back."',
    'call 100 --keys "1,,2" --save heard.wav',
  ],
  async run(words, config) {
    const wanted = readCallWords(words, config);
    const { placeCall } = await import('./terminal-call.ts');
    return placeCall(wanted, config);
  },
};
