// THE TABLE of commands: help, completion and the check of words are made from it.
import { account } from './account.ts';
import { agent } from './agent.ts';
import { api } from './api.ts';
import { backup } from './backup.ts';
import { call } from './call.ts';
import { live, records } from './calls.ts';
import type { Command } from './command.ts';
import { completionOf } from './completion.ts';
import { doctor } from './doctor.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { lint } from './lint.ts';
import { menu } from './menu.ts';
import { number } from './number.ts';
import { recording } from './recording.ts';
import { restore } from './restore.ts';
import { serveCommand } from './serve.ts';
import { signIn, signOut } from './sign-in.ts';
import { simulateCommand } from './simulate.ts';
import { test } from './test.ts';
import { token } from './token.ts';

export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  call,
  doctor,
  simulate: simulateCommand,
  lint,
  test,
  export: exportCommand,
  import: importCommand,
  backup,
  restore,
  'sign-in': signIn,
  'sign-out': signOut,
  token,
  account,
  menu,
  agent,
  number,
  recording,
  records,
  live,
  api,
  completion: completionOf(() => COMMANDS),
};
