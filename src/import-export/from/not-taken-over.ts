// THE TABLE of what importers cannot take over: steps of other systems for which there is no kind of record here, and why. A kind that
// is added later is mapped by a case in its importer, and its rows here go.

interface NotTakenOver {
  readonly reason: string;
  /** The transition by which calls go on instead; none: they end there. */
  readonly goesOnBy?: string;
}

/** Widgets of Twilio Studio by `type`. */
export const STUDIO_WIDGETS: Readonly<Record<string, NotTakenOver>> = {
  'run-function': {
    reason: 'it runs a program at Twilio, which takes calls of Twilio alone',
    goesOnBy: 'success',
  },
  'send-and-reply': { reason: 'it waits for a text message' },
  'send-and-wait-for-reply': { reason: 'it waits for a text message' },
  'capture-payments': { reason: 'it takes payments', goesOnBy: 'success' },
  'fork-stream': { reason: 'it copies the audio elsewhere (a kind "stream" is needed)', goesOnBy: 'next' },
  'connect-virtual-agent': { reason: 'it hands the call to a voice agent (a kind "stream" is needed)' },
  'connect-virtual-agent-v2': { reason: 'it hands the call to a voice agent (a kind "stream" is needed)' },
  'add-twiml-redirect': { reason: 'it goes on with TwiML elsewhere', goesOnBy: 'return' },
  'run-subflow': { reason: 'it runs another flow: import that one, too', goesOnBy: 'completed' },
  'record-call': { reason: 'it records the call: set record_calls of the menu', goesOnBy: 'success' },
  'make-outgoing-call-v1': { reason: 'it places a call', goesOnBy: 'answered' },
  'make-outgoing-call-v2': { reason: 'it places a call', goesOnBy: 'answered' },
  'send-to-auto-pilot': { reason: 'it hands the call to a bot' },
  'search-kb': { reason: 'it searches a knowledge base' },
};

/** Whom connect-call-to of Twilio Studio calls, by `noun`. */
export const STUDIO_NOUNS: Readonly<Record<string, string>> = {
  client: 'it calls a browser or app at Twilio',
  conference: 'it leads to a conference at Twilio: make a conference room',
  sim: 'it calls a SIM card of Twilio',
};

/** Destinations of FreePBX by the beginning of their context. */
export const FREEPBX_CONTEXTS: Readonly<Record<string, string>> = {
  'app-daynight': 'call flow control: open or close a time group instead',
  'ext-meetme': 'a conference: make a conference room',
  'ext-miscdests': 'a misc destination',
  'ext-fax': 'a fax',
  'ext-trunk': 'a trunk',
  'app-setcid': 'it sets the caller id',
  'app-calltrace': 'a feature code',
  'app-languages': 'it sets the language',
  'app-vmblast-grp': 'a voicemail blast',
  'app-pbdirectory': 'a phonebook directory',
  'app-page': 'paging',
  callback: 'a callback',
  customdests: 'a custom destination',
  'custom-destination': 'a custom destination',
  directory: 'a directory of names',
  disa: 'dialling in (DISA)',
  dynroute:
    'a dynamic route, whose system answers with plain text: make a request, and let it answer with JSON',
  queueprio: 'a queue priority: give numbers or menu options a priority',
};
