// What the members of streams mean.
import type { Catalogue } from '../describe.ts';

const TEMPLATE = '`{name}` in it is replaced by the variable of that name.';

export const STREAM: Catalogue = {
  Stream: {
    description: 'A note for people who configure it. Callers do not hear it.',
    name: 'What it is called in the console and in call records.',
    url: `The address of the voice bot: wss, or ws where OUTBOUND_ALLOW names its network. The host is fixed. ${TEMPLATE} Values are percent-encoded.`,
    parameters: `What the bot is given in \`customParameters\` of its start message, each a text. ${TEMPLATE}`,
    secret:
      'Signs the request for the WebSocket as webhooks are signed: `whsec_` and base64. It is never shown. Not sent: the stored one stays.',
    has_secret: 'Whether the request for the WebSocket is signed.',
    disclosure_recording:
      'Played to its end before the bot is connected: the caller talks to a machine. Null: nothing is played.',
    max_seconds: 'How long they may talk. Then the call goes on to `next_destination`.',
    destinations: 'Where the bot may send the caller. It is refused any other.',
    next_destination: 'Where the call goes on when the bot ends the conversation, or the time is over.',
    failed_destination: 'Where the call goes if the bot cannot be reached, or the connection breaks.',
    warnings: 'What is likely wrong with it.',
  },
};
