// Hindi.
import type { Translation } from './catalogue.ts';
import type { en } from './en.ts';
import { admin } from './hi/admin.ts';
import { board } from './hi/board.ts';
import { bulk } from './hi/bulk.ts';
import { callButtons } from './hi/call-buttons.ts';
import { calls } from './hi/calls.ts';
import { desk } from './hi/desk.ts';
import { dock } from './hi/dock.ts';
import { editor } from './hi/editor.ts';
import { errors } from './hi/errors.ts';
import { flowLogic } from './hi/flow-logic.ts';
import { guide } from './hi/guide.ts';
import { health } from './hi/health.ts';
import { home } from './hi/home.ts';
import { hours } from './hi/hours.ts';
import { kit } from './hi/kit.ts';
import { lines } from './hi/lines.ts';
import { live } from './hi/live.ts';
import { map } from './hi/map.ts';
import { now } from './hi/now.ts';
import { palette } from './hi/palette.ts';
import { people } from './hi/people.ts';
import { publish } from './hi/publish.ts';
import { records } from './hi/records.ts';
import { shell } from './hi/shell.ts';
import { simulator } from './hi/simulator.ts';
import { sounds } from './hi/sounds.ts';
import { statistics } from './hi/statistics.ts';
import { streams } from './hi/streams.ts';
import { templates } from './hi/templates.ts';
import { users } from './hi/users.ts';

// § imports

export const hi: Translation<typeof en> = {
  ...kit,
  ...shell,
  ...palette,
  ...errors,

  ...board,

  // § calls
  ...calls,
  ...desk,

  // § editor
  ...editor,

  // § guide
  ...guide,

  // § home
  ...home,
  ...health,

  // § live
  ...live,
  ...dock,
  ...now,

  // § map
  ...map,
  ...publish,

  // § records
  ...records,
  ...bulk,
  ...people,
  ...hours,
  ...sounds,
  ...streams,
  ...flowLogic,
  ...lines,
  ...admin,
  ...callButtons,

  // § simulator
  ...simulator,

  // § statistics
  ...statistics,
  ...users,

  // § templates
  ...templates,
};
