// Call buttons of web pages.
import { words } from '../catalogue.ts';

export const callButtons = words({
  'callButtons.title': 'Call buttons',
  'callButtons.intro':
    'A button on your website, by which visitors call you from their browser. One script tag is all that a page needs.',
  'callButtons.new': 'New call button',
  'callButtons.empty.title': 'No call buttons yet',
  'callButtons.empty.text': 'Make one, and copy its script tag into your website.',
  'callButtons.name.hint': 'Its key begins with it, and stands in call records.',
  'callButtons.to': 'Calls',
  'callButtons.to.hint': 'One of your numbers, or a menu, a department or another destination.',
  'callButtons.origins': 'Web origins',
  'callButtons.origins.hint':
    'Where the button works, such as https://www.example.com: one a line, without a path.',
  'callButtons.edit': 'Edit',
  'callButtons.edit.of': 'Edit {name}',
  'callButtons.edit.title': 'Edit the call button',
  'callButtons.gone': 'This button was revoked in the meantime. Make a new one.',
  'callButtons.script': 'Script tag',
  'callButtons.script.of': 'Script tag of {name}',
  'callButtons.script.text': 'Put this into your page, where the button is to stand.',
  'callButtons.script.https':
    'Browsers give a microphone only to pages with HTTPS, and to those of localhost. Where visitors reach this service by another address than you do, change it in the tag.',
  'callButtons.example': 'An example page',
  'callButtons.example.text': 'A whole page with the button, for {origin}. It asks the visitor for a name.',
  'callButtons.example.copy': 'Copy the page',
  'callButtons.revoke': 'Revoke',
  'callButtons.revoke.of': 'Revoke {name}',
  'callButtons.revoke.title': 'Revoke “{name}”?',
  'callButtons.revoke.text':
    'The button stops working on every page at once, and its calls end within seconds. A new button has another key.',
  'callButtons.revoked': 'Revoked.',
});
