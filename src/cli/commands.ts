// THE TABLE of commands: help, completion and the check of words are made from it.
import type { Command } from './command.ts';
import { completionOf } from './completion.ts';

/** Each is loaded when it is named: a command does not wait for the modules of the others. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  call: async () => (await import('./call.ts')).call,
  doctor: async () => (await import('./doctor.ts')).doctor,
  simulate: async () => (await import('./simulate.ts')).simulateCommand,
  lint: async () => (await import('./lint.ts')).lint,
  test: async () => (await import('./test.ts')).test,
  export: async () => (await import('./export.ts')).exportCommand,
  import: async () => (await import('./import.ts')).importCommand,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  'sign-in': async () => (await import('./sign-in.ts')).signIn,
  'sign-out': async () => (await import('./sign-in.ts')).signOut,
  token: async () => (await import('./token.ts')).token,
  account: async () => (await import('./account.ts')).account,
  menu: async () => (await import('./menu.ts')).menu,
  agent: async () => (await import('./agent.ts')).agent,
  number: async () => (await import('./number.ts')).number,
  recording: async () => (await import('./recording.ts')).recording,
  records: async () => (await import('./calls.ts')).records,
  live: async () => (await import('./calls.ts')).live,
  nodes: async () => (await import('./drain.ts')).nodes,
  drain: async () => (await import('./drain.ts')).drain,
  mcp: async () => (await import('./mcp.ts')).mcp,
  api: async () => (await import('./api.ts')).api,
  completion: async () => completionOf(allCommands),
};

export async function allCommands(): Promise<Record<string, Command>> {
  const loaded = Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const);
  return Object.fromEntries(await Promise.all(loaded));
}
