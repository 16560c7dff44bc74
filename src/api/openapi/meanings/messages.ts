// What the members of SMS, webhooks and their deliveries mean.
import type { Catalogue } from '../describe.ts';

const secret =
  'The secret that deliveries are signed with, as standardwebhooks.com says. It is shown this once.';

export const MESSAGES: Catalogue = {
  Sms: {
    id: 'The id of the message. The gateway gets it with every attempt.',
    to: 'The number that the message goes to.',
    text: 'The text, complete as it is sent. In a request: send it or `template`, not both.',
    template: 'The id of the template that the text was made from. Null: none.',
    variables:
      'What is filled in for the variables of the template; what is left out is empty. Example: `{"name": "Asha"}`.',
    'variables.caller': 'Stands for `{caller}`: the number of the caller.',
    'variables.name': 'Stands for `{name}`: the name of the caller.',
    'variables.dialled': 'Stands for `{dialled}`: the number that was dialled.',
    'variables.option': 'Stands for `{option}`: the keys that were pressed.',
    'variables.ivr': 'Stands for `{ivr}`: the name of the menu.',
    'variables.destination': 'Stands for `{destination}`: where the option leads.',
    'variables.agent': 'Stands for `{agent}`: the agent, where the option leads to one.',
    'variables.page': 'Stands for `{page}`: the web page that the call comes from by a call button.',
    'variables.button': 'Stands for `{button}`: the call button that the call comes by.',
    parts:
      'How many messages the text takes: 160 characters of the GSM alphabet each, 153 in a long one; of others 70 and 67.',
    call_id: 'The id of the call whose caller chose the option. Null: sent by a request.',
    state:
      '`queued`: stored, not tried yet; `sending`: tried, and tried again; `sent`: the gateway has it; `delivered`: the phone has it; `failed`: refused, or not reached for a day; `unknown`: the network does not say.',
    error: 'Why it failed or is tried again, in one sentence. Null: nothing went wrong.',
    created_at: 'When the message was queued.',
    updated_at: 'When its state last changed.',
    sent_at: 'When the gateway accepted it. Null: not yet.',
    gateway_ids: 'The ids that the gateway gave to the parts.',
  },
  ReportSmsInput: {
    state: 'What became of the message, as the gateway knows it.',
    error: 'Why it could not be delivered. Null: nothing went wrong.',
  },
  WithSecret: { secret },
  Delivery: {
    id: 'The id of the delivery: of one event to one webhook.',
    event_id: 'The id of the event, which receivers get as `webhook-id`.',
    type: 'The type of the event, such as `call.ended`.',
    state: '`waiting`: not delivered yet; `done`: the receiver answered 2xx; `dead`: given up.',
    attempts: 'How often it was tried.',
    last_status: 'The HTTP status that the receiver answered last. Null: it did not answer.',
    error: 'Why the last attempt failed, in one sentence. Null: it did not.',
    created_at: 'When the event was queued.',
    next_try_at: 'When it is tried next. Null: it is not.',
    settled_at: 'When it was delivered or given up. Null: neither yet.',
    body: 'The event, as it is sent.',
  },
  DeliveryQueued: { delivery: 'The id of the delivery, for GET /v1/webhook/{id}/delivery/{delivery}.' },
  ReplayWebhookInput: {
    delivery: 'The id of one delivery that is sent again, instead of a span of time.',
    from: 'Deliveries that were made then or later are sent again.',
    to: 'Deliveries that were made before are sent again. Without it: now.',
    until: 'Deliveries that were made before are sent again. Without it: now.',
  },
  Replayed: {
    replayed: 'How many deliveries are sent again.',
    earliest:
      'Where one request cannot send all again: how far back this one went. Ask again with that as the end. Null: all are sent.',
  },
};
