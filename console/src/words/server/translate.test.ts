import { describe, expect, it } from 'vitest';
import { END_CODES, endReason } from '../../../../src/flow/trail.ts';
import { FAULTS, PROBLEMS } from '../../../../src/kinds/problem.ts';
import { say } from '../catalogue.ts';
import { en } from '../en.ts';
import { atField, faultText, problemText } from '../error-text.ts';
import { hi } from '../hi.ts';
import { setTranslator } from '../translator.ts';
import { TEXTS } from './texts.ts';
import { translate } from './translate.ts';

const t = (key: keyof typeof en, values = {}) => say(hi[key], values, 'hi');
const inEnglish = (key: keyof typeof en, values = {}) => say(en[key], values, 'en');

describe('what the service says in Hindi', () => {
  it.each([
    ['Waits in the queue as number 3, about 4 min to wait.', /^कतार में स्थान 3, लगभग 4 मिनट/],
    // As a former version wrote it.
    ['Waits in line as number 2.', /^कतार में स्थान 2/],
    [
      'destination: expected extension||1, was hangup||busy.',
      /^गंतव्य: अपेक्षित extension\|\|1, मिला hangup\|\|busy।$/,
    ],
    [
      'The draft is full: it has at most 100 records and 1024 KiB of JSON. Publish it first.',
      /^ड्राफ़्ट भर गया है/,
    ],
    [
      'Option 1 leads to “Sales”: no longer option begins like this.',
      /^विकल्प 1 “Sales” तक .*कोई लंबा विकल्प नहीं/,
    ],
    [
      'The caller hung up. (normal-clearing, cause 16)',
      /^कॉलर ने फ़ोन काट दिया। \(normal-clearing, कारण 16\)$/,
    ],
    [
      'Nobody can be reached at “Night”, and it leads nowhere: callers hear an apology and are hung up on.',
      /“Night”.*क्षमा/,
    ],
    ['The caller is told: number 2 in the queue, about 2 min to wait.', /कतार में स्थान 2, लगभग 2 मिनट/],
    [
      '“Office” is closed (because of “Diwali”, Asia/Kolkata).',
      /^“Office” बंद है \(“Diwali” के कारण, Asia\/Kolkata\)/,
    ],
    [
      'No option is 9 (no further key came): retry 1 of 2.',
      /^9 कोई विकल्प नहीं \(और कोई कुंजी नहीं आई\): प्रयास 1\/2/,
    ],
    [
      'No key within 5 s: all 1 retries are used up, so it goes to “Sales”.',
      /^5 सेकंड में कोई कुंजी नहीं: .*“Sales”/,
    ],
    ['SMS template 7 is inactive: callers who press 1 are sent no SMS.', /निष्क्रिय/],
    ['Asha is blocked: callers go to the failover “Box” at once.', /^Asha ब्लॉक है: .*“Box”/],
    ['“Office” has no destination for calls while it is open.', /^“Office” के खुले रहने पर/],
    ['Rings “Asha” on 1001, “Ben” on +4930123 for 20 s.', /^“Asha” \(1001\), “Ben” \(\+4930123\) पर 20 सेकंड/],
    [
      '“Asha” on 1001 cannot be reached: the agent has as many calls as the limit max_calls_per_agent allows.',
      /^“Asha” \(1001\) तक पहुँचा नहीं .* max_calls_per_agent/,
    ],
    [
      '“Asha” on 1001 cannot be reached: the account has as many sides of calls as the limit max_legs allows.',
      /^“Asha” \(1001\) तक पहुँचा नहीं .* max_legs/,
    ],
    [
      '+4930123 cannot be reached: max_outbound_calls of the account or max_calls of the trunk allows no more.',
      /^\+4930123 तक पहुँचा नहीं .* max_outbound_calls/,
    ],
    ['Of 3 agents: 2 paused; 1 off duty.', /^3 एजेंटों में से: 2 विराम पर; 1 ड्यूटी पर नहीं।$/],
    [
      'No sound comes from the caller. RTP arrives from 192.0.2.1:4000, which is not the address that was signalled, and is not accepted.',
      /192\.0\.2\.1:4000/,
    ],
  ])('%s', (text, hindi) => expect(translate(text)).toMatch(hindi));

  it('is null where a sentence, or a part of it, is not known', () => {
    expect(translate('Nobody ever wrote this.')).toBeNull();
    expect(translate('Plays an unheard-of thing: “x”.')).toBeNull();
    expect(translate('x'.repeat(3_000))).toBeNull();
  });

  it('has the reason of every end of a call', () => {
    for (const code of END_CODES) expect([code, translate(endReason(code).text)]).not.toEqual([code, null]);
  });

  it('has the same holes in both languages, and no two sentences of one form', () => {
    const holes = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const [english, hindi] of TEXTS) {
      const missing = holes(hindi).filter((hole) => !holes(english).includes(hole));
      expect([english, missing]).toEqual([english, []]);
    }
    const forms = TEXTS.map(([english]) => english.replace(/\{\w+\}/g, '{}'));
    expect(forms.filter((form, index) => forms.indexOf(form) !== index)).toEqual([]);
  });
});

describe('errors', () => {
  it('have words for every code, in both languages', () => {
    const codes = [
      ...Object.keys(PROBLEMS).map((code) => `problem.${code}`),
      ...FAULTS.map((code) => `fault.${code}`),
    ];
    for (const catalogue of [en, hi]) expect(codes.filter((code) => !(code in catalogue))).toEqual([]);
  });

  it('stand at their field without the name of the API and without what was typed', () => {
    expect(atField('intercom must be 2 to 10 digits; it was "7".')).toBe('Must be 2 to 10 digits.');
    expect(atField('option 1 must be 1 to 6 keys out of 0-9, * and #; it was "x".')).toBe(
      'Must be 1 to 6 keys out of 0-9, * and #.',
    );
    expect(atField('name is missing.')).toBe('This is required.');
    expect(atField('Another agent has the intercom 1001 already.')).toBe(
      'Another agent has the intercom 1001 already.',
    );
  });

  it('are Hindi where the user reads Hindi, also those whose sentence is not known', () => {
    setTranslator(translate);
    try {
      const fault = (code: string, message: string) => faultText({ code, message }, t);
      expect(fault('text_malformed', 'intercom must be 2 to 10 digits; it was "7".')).toBe(
        'यहाँ 2 से 10 अंक चाहिए।',
      );
      expect(fault('url_refused', 'Something new.')).toBe(hi['fault.url_refused']);
      const problem = (code: string, message: string) => problemText({ code, message }, t);
      expect(problem('key_taken', 'Another agent has the intercom 1001 already.')).toContain('इंटरकॉम 1001');
      expect(problem('rate_limited', 'Slow down.')).toBe(hi['problem.rate_limited']);
      expect(problem('of_the_future', 'Not known here.')).toBe('Not known here.');
    } finally {
      setTranslator(null);
    }
    expect(problemText({ code: 'overloaded', message: 'x' }, inEnglish)).toBe(en['problem.overloaded']);
  });
});
