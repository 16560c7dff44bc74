// Templates of common flows.
import { words } from '../catalogue.ts';

export const templates = words({
  'templates.title': 'Templates',
  'templates.intro':
    'A whole flow in one step. Everything it creates is an ordinary record that you can change afterwards.',
  'templates.use': 'Use it',
  'templates.use.this': 'Use it: {name}',
  'templates.make': 'Create',
  'templates.makes': 'It creates: {names}.',
  'templates.country': 'National holidays of',
  'templates.country.hint': {
    one: 'Callers hear that you are closed on {count} day to come.',
    other: 'Callers hear that you are closed on {count} days to come. Change them with the opening hours.',
  },
  'templates.number': 'Number that leads here',
  'templates.number.hint':
    'Calls to it begin at this flow at once. Without one, choose it later under Numbers.',
  'templates.numberFailed': 'The flow is there, but the number could not be changed: {message}',
  'templates.done': { one: '{count} record created.', other: '{count} records created.' },
  'templates.undone': 'Nothing was created: {message}',
  'templates.left': 'It failed: {message} Records that could not be deleted again: {count}.',
  'templates.from': 'From a template',
  'templates.office.title': 'Office hours and holidays',
  'templates.office.text':
    'Reception rings while you are open. Otherwise callers hear that you are closed, and leave a message.',
  'templates.sales.title': 'Sales, support, billing',
  'templates.sales.text': 'Three keys, three departments. What nobody answers goes to voicemail.',
  'templates.languages.title': 'Two languages',
  'templates.languages.text': 'Callers choose English or Hindi and hear the rest in their language.',
  'templates.clinic.title': 'Clinic',
  'templates.clinic.text':
    'Appointments, prescriptions by voicemail, and a key for emergencies, within opening hours.',
  'templates.shop.title': 'Shop',
  'templates.shop.text': 'Orders, deliveries and returns, and the opening hours as an announcement.',
  'templates.night.title': 'After hours',
  'templates.night.text':
    'Reception by day. At night callers leave a message, or reach who is on call if it is urgent.',
  'templates.part.messages': 'Messages',
  'templates.part.reception': 'Reception',
  'templates.part.closed': 'We are closed',
  'templates.part.hours': 'Opening hours',
  'templates.part.sales': 'Sales',
  'templates.part.support': 'Support',
  'templates.part.billing': 'Billing',
  'templates.part.menu': 'Main menu',
  'templates.part.english': 'English menu',
  'templates.part.hindi': 'Hindi menu',
  'templates.part.languages': 'Choice of language',
  'templates.part.appointments': 'Appointments',
  'templates.part.onCall': 'On call',
  'templates.part.prescriptions': 'Prescriptions',
  'templates.part.orders': 'Orders',
  'templates.part.deliveries': 'Deliveries and returns',
  'templates.part.times': 'Opening hours, spoken',
  'templates.part.night': 'Menu after hours',
});
