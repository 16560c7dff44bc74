// English: the catalogue that defines the keys. One file per area.
import { admin } from './en/admin.ts';
import { board } from './en/board.ts';
import { bulk } from './en/bulk.ts';
import { callButtons } from './en/call-buttons.ts';
import { calls } from './en/calls.ts';
import { desk } from './en/desk.ts';
import { dock } from './en/dock.ts';
import { editor } from './en/editor.ts';
import { errors } from './en/errors.ts';
import { flowLogic } from './en/flow-logic.ts';
import { guide } from './en/guide.ts';
import { health } from './en/health.ts';
import { home } from './en/home.ts';
import { hours } from './en/hours.ts';
import { kit } from './en/kit.ts';
import { lines } from './en/lines.ts';
import { live } from './en/live.ts';
import { map } from './en/map.ts';
import { now } from './en/now.ts';
import { palette } from './en/palette.ts';
import { people } from './en/people.ts';
import { publish } from './en/publish.ts';
import { records } from './en/records.ts';
import { shell } from './en/shell.ts';
import { simulator } from './en/simulator.ts';
import { sounds } from './en/sounds.ts';
import { statistics } from './en/statistics.ts';
import { streams } from './en/streams.ts';
import { templates } from './en/templates.ts';
import { users } from './en/users.ts';

// § imports

export const en = {
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
} as const;
