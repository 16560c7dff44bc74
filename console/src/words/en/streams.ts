// Voice bots that callers talk with.
import { words } from '../catalogue.ts';

export const streams = words({
  'streams.title': 'Voice bots',
  'streams.intro': 'Connects the caller, both ways, with a voice bot over a WebSocket.',
  'streams.new': 'New voice bot',
  'streams.empty.title': 'No voice bots yet',
  'streams.empty.text': 'Let a bot of your own, or of a provider, talk with callers.',
  'streams.url': 'URL',
  'streams.url.hint': 'wss. {name} is replaced by the variable of that name; the host is fixed.',
  'streams.disclosure': 'Disclosure, played first',
  'streams.disclosure.none': 'None: callers are not told that it is a machine',
  'streams.parameters': 'Parameters',
  'streams.parameters.hint': 'What the bot is told of the call when it is connected.',
  'streams.parameter': 'Parameter',
  'streams.secret': 'Secret',
  'streams.secret.hint': 'Signs the request as webhooks are signed. Empty: what is stored stays.',
  'streams.seconds': 'Seconds at most',
  'streams.seconds.hint': 'Then the call goes on as if the bot had ended it.',
  'streams.destinations': 'Destinations',
  'streams.destinations.hint': 'Where the bot may send callers. It is refused any other.',
  'streams.destination': 'Destination',
  'streams.next': 'Then',
  'streams.next.hint': 'When the bot ends the conversation.',
  'streams.failed': 'When it fails',
  'streams.failed.hint': 'The bot cannot be reached, or the connection breaks.',
});
