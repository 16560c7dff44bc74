// What the members of collects, requests, switches, messages and SIP addresses mean.
import type { Catalogue } from '../describe.ts';
import { SPOKEN } from './flow.ts';

const NAMED = {
  description: 'A note for people who configure it. Callers do not hear it.',
};
const TEMPLATE = '`{name}` in it is replaced by the variable of that name.';

export const THINKING: Catalogue = {
  Collect: {
    ...NAMED,
    name: 'What it is called in the console and in call records.',
    recording: 'What asks for the digits. The first key stops it. Null: `text` does.',
    text: SPOKEN,
    min_digits: 'How many digits the caller must enter at least.',
    max_digits: 'How many digits the caller may enter. The last of them ends the input at once.',
    finish_key:
      'The key that ends the input before the longest one, `#` or `*`. Empty: only a pause of 2 seconds does.',
    timeout: 'How long to wait for the first key after the question, in seconds. 0: do not wait.',
    allowed:
      'What may be entered: digits for exactly this value, `length:6` for any value of six digits, `prefix:49` for values that begin so. One of them must fit. Empty: anything.',
    attempts: 'How often the caller may try, the first time included.',
    invalid_recording:
      'Played before the question is asked again because the digits do not fit. Null: the question alone.',
    timeout_recording:
      'Played before the question is asked again because no key came. Null: the question alone.',
    confirm: 'Whether the digits are read back: 1 accepts them, 2 asks again.',
    save_as: 'The variable that gets the digits. Built-in variables cannot be set.',
    sensitive: 'Whether the digits are hidden, as `•`, in records, events, logs and the live view.',
    next_destination: 'Where the call goes on with the digits.',
    failed_destination: 'Where the call goes when all attempts are used up.',
    warnings: 'What is likely wrong with it.',
  },
  Request: {
    ...NAMED,
    name: 'What it is called in the console and in call records.',
    url: `The address of your system: https, or http where OUTBOUND_ALLOW names its network. The host is fixed. ${TEMPLATE} Values are percent-encoded.`,
    method: 'POST sends `body` as JSON; GET sends no body.',
    body: `The members of the JSON object that a POST sends, each a text. ${TEMPLATE}`,
    secret:
      'Signs requests as webhooks are signed: `whsec_` and base64. It is never shown. Not sent: the stored one stays.',
    has_secret: 'Whether requests are signed.',
    timeout_ms:
      'How long to wait for the whole answer, in milliseconds. The request is never repeated within the call.',
    save: 'What of the answer becomes a variable.',
    'save[].variable': 'The variable that gets the value. Built-in variables cannot be set.',
    'save[].pointer':
      'Where the value stands in the answer, as a JSON pointer (RFC 6901). What is not there sets nothing.',
    choices:
      'Where the call goes by the member `choice` of the answer. Another choice than these is a failure; an answer without one goes to `next_destination`.',
    'choices[].answer': 'The text of `choice` in the answer.',
    'choices[].destination': 'Where the call goes then.',
    wait_recording:
      'What callers hear from 0.7 seconds on until the answer comes, again and again. Null: a soft tone.',
    next_destination: 'Where the call goes on after an answer without a choice.',
    failed_destination:
      'Where the call goes if there is no good answer: a status of 300 or more, no answer in time, more than 64 KiB, or no JSON. The trail has the reason.',
    warnings: 'What is likely wrong with it.',
  },
  Switch: {
    ...NAMED,
    name: 'What it is called in the console and in call records.',
    set: 'Variables that are set first, in this order.',
    'set[].variable': 'The variable. Built-in variables cannot be set.',
    'set[].value': `Its new value. ${TEMPLATE}`,
    rules: 'The first rule that matches decides.',
    'rules[].variable': 'The variable that is looked at, a built-in one too.',
    'rules[].operator':
      'How it is compared with `value`. `greater` and `less` compare decimal numbers; `in` has values between commas; `exists` and `missing` need no value.',
    'rules[].value': `What it is compared with. ${TEMPLATE}`,
    'rules[].destination': 'Where the call goes if the rule matches.',
    otherwise_destination: 'Where the call goes if no rule matches.',
    warnings: 'What is likely wrong with it.',
  },
  Message: {
    ...NAMED,
    name: 'What it is called in the console and in call records.',
    sms_template: 'The id of the SMS template that is sent, with the variables of the call in it.',
    to: `The number that gets it. ${TEMPLATE}`,
    next_destination: 'Where the call goes on, at once.',
    warnings: 'What is likely wrong with it.',
  },
  SipAddress: {
    ...NAMED,
    name: 'What it is called in the console and in call records.',
    uri: `\`sip:user@host\`, with a port and \`;transport=udp\`, \`tcp\` or \`tls\` if you like; over TLS SRTP is offered. \`sips:\` is TLS with SRTP required. The operator must allow the host (SIP_ADDRESS_HOSTS), when it is written and when it is dialled. Before the \`@\`, ${TEMPLATE}`,
    username: 'The user name that answers its challenge (digest). Null: it is not answered.',
    password:
      'The password of `username`. It is sealed and never shown. Empty: none. Not sent: the stored one stays.',
    has_password: 'Whether a password is stored.',
    headers: `Headers of the INVITE, each with a name that begins with \`X-\`. ${TEMPLATE} A line break becomes a space, and a value ends after 200 characters; an empty one is not sent.`,
    caller_id: `The number that the other side sees. ${TEMPLATE} Null, or anything but a number: the caller's own.`,
    ring_seconds: 'How long it rings. Null: as the setting `ring_seconds` says.',
    failover_destination:
      'Where the call goes if it is busy, cannot be reached, may not be called or does not answer. Null: the call ends.',
    warnings: 'What is likely wrong with it.',
  },
};
