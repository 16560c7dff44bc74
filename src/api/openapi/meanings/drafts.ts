// Drafts and publications.
import type { Catalogue } from '../describe.ts';

export const DRAFTS: Catalogue = {
  Draft: {
    hash: 'Of all changes in it: publication can be bound to what was shown. Any change of the draft makes another one.',
    data: 'The changes that wait, by kind and id.',
    'data[].kind': 'The kind of the record, such as `ivr` or `department`.',
    'data[].id': 'Which record of that kind it is: the id that its path has.',
    'data[].name': 'The name or number of the record.',
    'data[].action': 'What publication does: `create`, `update` or `delete`.',
    'data[].conflict': 'Whether the stored record changed since: publication would be refused.',
    'data[].editor': 'Who changed it last in the draft.',
    'data[].at': 'When that was.',
    'data[].before': 'The record as it is stored. Null: it does not exist.',
    'data[].after': 'The record as the draft makes it. Null: it is deleted.',
    next_cursor:
      'Where the next page begins: a page has up to a mebibyte of JSON. Null: this is the last one.',
  },
  DraftCheck: {
    findings:
      'What the linter says of the account as it would be, as `GET /v1/lint` says it of the present one.',
    'findings[].code': 'Which rule of the linter found it: docs/lint.md explains each.',
    'findings[].severity':
      'An `error` loses calls or keeps callers from hearing what they should, a `warning` annoys callers.',
    'findings[].node': 'The record, as a reference.',
    'findings[].pointer': 'The member of the record, as a JSON pointer.',
    'findings[].message': 'What is wrong, in a sentence.',
    tests: 'The tests of all menus, as they come out with the draft.',
    'tests[].menu': 'Which menu carries it, by the id of its path.',
    'tests[].menu_name': 'What that menu is called with the draft.',
    'tests[].name': 'What the test is called among those of its menu.',
    'tests[].passed': 'Whether what came out is what it expects.',
    'tests[].failed_before': 'Whether it fails without the draft, too: then it refuses no publication.',
    'tests[].differences': 'What came out differently, in sentences.',
  },
  Published: { id: 'The id of the publication, for `POST /v1/publication/{id}/roll_back`.' },
  PublishDraftInput: {
    reason: 'Why it is published, for those who read it later.',
    hash: 'The `hash` of the draft that was shown: refused with 409 when the draft is another one by now. Not sent: the draft as it is.',
  },
  RollBackInput: { reason: 'Why it is rolled back, for those who read it later.' },
  Publication: {
    id: 'The id of the publication; later ones have greater ones.',
    at: 'When it took effect.',
    publisher: 'Who published it.',
    reason: 'Why, in the words of who published it.',
    rolls_back: 'The id of the publication that this one undid. Null: it undid none.',
    rolled_back_by: 'The id of the publication that undid this one. Null: it stands.',
    changes: 'The records that it changed.',
    'changes[].kind': 'What was changed, such as `ivr` or `department`.',
    'changes[].id': 'Which one of that kind: the id that its path has.',
    'changes[].name': 'The name or number that the record had then.',
    'changes[].action': 'What was done: `create`, `update` or `delete`.',
  },
};
