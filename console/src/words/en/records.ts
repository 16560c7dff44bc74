// What every list and form of records says.
import { words } from '../catalogue.ts';

export const records = words({
  'records.name': 'Name',
  'records.description': 'Description',
  'records.description.hint': 'For your colleagues; callers never hear it.',
  'records.create': 'Create',
  'records.created': 'Created.',
  'records.back': 'Back to the list',
  'records.stamps': 'Made {created}, changed {updated}, version {version}',
  'records.unsaved': 'Unsaved changes',
  'records.missing.title': 'It is not there',
  'records.missing.text': 'It may have been deleted, or the address is misspelt.',
  'records.conflict.title': 'Somebody else changed this meanwhile',
  'records.conflict.text':
    'Your changes are not saved, so that theirs are not lost. Load the newest version, then make your changes again.',
  'records.conflict.action': 'Load again',
  'records.delete.title': 'Delete “{name}”?',
  'records.delete.text': 'This cannot be undone.',
  'records.delete.used': '“{name}” is still in use',
  'records.delete.usedText': '{message} What points to it would then lead nowhere.',
  'records.delete.force': 'Delete all the same',
  'records.once': 'Copy it now: it is shown this once, and nobody can look it up later.',
  'records.once.done': 'I have it',
  'records.recording': 'Recording',
  'records.hear': 'Hear it',
  'records.status': 'Status',
  'records.warnings': 'Worth a look',
  'records.moveUp': 'Move {name} up',
  'records.moveDown': 'Move {name} down',
  'records.removeItem': 'Remove {name}',
  'records.more': 'Show more',
});
