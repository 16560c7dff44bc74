// How much one must know at once: what a file imports, the members of a class, and what its constructor takes. The formatter's layout
// is what this reads: members of a class stand two spaces in. A file may be as long as it is.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAX_IMPORTS = 25;
const MAX_MEMBERS = 25;
const MAX_PARTS = 12;

/** Larger ones that are left, with their members: a number may only fall, and a row goes when it is no longer needed. */
const LARGER: Readonly<Record<string, number>> = {
  'src/api/http/sip-websocket.ts SipWebSockets': 26,
  'src/bots/bot-connection.ts BotConnection': 41,
  'src/calls/call-service.ts CallService': 41,
  'src/calls/call/call-history.ts CallHistory': 35,
  'src/calls/call/call-legs.ts CallLegs': 55,
  'src/calls/call/call.ts Call': 57,
  'src/calls/call/caller-leg.ts CallerLeg': 47,
  'src/calls/call/effects.ts Effects': 51,
  'src/calls/callbacks/callbacks.ts Callbacks': 39,
  'src/calls/records/call-recordings.ts CallRecordings': 27,
  'src/calls/records/running-calls.ts RunningCalls': 27,
  'src/calls/registrations.ts Registrations': 28,
  'src/calls/rooms/live-room.ts LiveRoom': 29,
  'src/flow/simulation/simulated-call.ts SimulatedCall': 44,
  'src/flow/turn.ts Turn': 36,
  'src/import-export/from/freepbx.ts FreePbxImport': 27,
  'src/import-export/from/sql-dump.ts SqlDump': 27,
  'src/media/engine/engine-stream.ts EngineStream': 45,
  'src/media/engine/engine.ts Engine': 30,
  'src/media/mixing/jitter-buffer.ts JitterBuffer': 34,
  'src/media/rtp/source-lock.ts SourceLock': 32,
  'src/media/sockets/dgram/dgram.ts DgramSockets': 32,
  'src/media/sockets/syscalls/syscalls.ts SyscallSockets': 38,
  'src/media/webrtc/process/webrtc-process.ts WebrtcProcess': 26,
  'src/media/worker/live-stream.ts LiveStream': 55,
  'src/media/worker/stream-output.ts StreamOutput': 50,
  'src/media/worker/worker.ts MediaWorker': 33,
  'src/service/cluster-node.ts ClusterNode': 31,
  'src/sharing/memory/queues.ts MemoryQueues': 27,
  'src/sharing/postgres/queues.ts PostgresQueues': 44,
  'src/sip/dialogs/dialog.ts Dialog': 30,
  'src/sip/dialogs/mid-dialog.ts MidDialog': 41,
  'src/sip/dialogs/uac-session.ts UacSession': 58,
  'src/sip/dialogs/uas-session.ts UasSession': 50,
  'src/sip/events/subscription.ts Subscription': 26,
  'src/sip/guard.ts Guard': 30,
  'src/sip/parse.ts Reader': 38,
  'src/sip/registrar.ts Registrar': 36,
  'src/sip/registration.ts Registration': 35,
  'src/sip/transactions/server-side.ts ServerSide': 27,
  'src/telephony/builtin/legs/incoming-leg.ts IncomingLeg': 40,
  'src/telephony/builtin/legs/leg.ts BuiltinLeg': 70,
  'src/telephony/builtin/legs/media-side.ts MediaSide': 28,
  'src/telephony/builtin/legs/outgoing-leg.ts OutgoingLeg': 43,
  'src/telephony/builtin/legs/restored-leg.ts RestoredLeg': 30,
  'src/telephony/fake/fake-leg.ts FakeLeg': 43,
  'src/telephony/softphone/softphone-call.ts SoftphoneCall': 29,
};

/** What a dialog remembers, and the options of a registration. */
const MORE_PARTS = ['src/sip/dialogs/dialog.ts Dialog', 'src/sip/registration.ts Registration'];

/** Files that import more: tables of everything, and what opens a service. A number may only fall. */
const MORE_IMPORTS: Readonly<Record<string, number>> = {
  'console/src/pages/map/map-page.tsx': 28,
  'console/src/pages/prompts/prompts.tsx': 27,
  'console/src/pages/simulator/simulator-panel.tsx': 33,
  'console/src/words/en.ts': 30,
  'console/src/words/hi.ts': 32,
  'src/api/http/handler.ts': 35,
  'src/api/http/server.ts': 31,
  'src/api/openapi.ts': 45,
  'src/api/routes.ts': 60,
  'src/calls/call-service.ts': 29,
  'src/flow-jobs/run-job.ts': 26,
  'src/service/open-api.ts': 52,
  'src/service/open-telephone-side.ts': 41,
  'src/storage/sql/operations.ts': 35,
};

const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(?:test|contract)\.tsx?$|testing\//.test(path))
    .map((path) => join(folder, path));

const files = filesOf('src');

const MEMBER =
  /^ {2}(?:(?:readonly|static|private|protected|public|async|get|set|declare|override|abstract) )*\*?(#?\w+|\[Symbol\.\w+\])[?!]?(?::| =|\(|<|;)/;

/** The lines of each class, or interface, from the one that names it to its end. */
function* bodies(text: string, what: 'class' | 'interface'): Iterable<readonly [string, readonly string[]]> {
  const found = text.matchAll(
    new RegExp(String.raw`^(?:export )?(?:abstract )?${what} (\w+)[^\n]*\n(.*?)^\}`, 'gms'),
  );
  for (const [, name = '', body = ''] of found) yield [name, body.split('\n')];
}

/** A getter and its setter are one, and so are the overloads of a method. */
const membersOf = (lines: readonly string[]): number =>
  new Set(lines.flatMap((line) => MEMBER.exec(line)?.[1] ?? [])).size;

const classes = files.flatMap((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const interfaces = new Map(bodies(text, 'interface'));
  return [...bodies(text, 'class')].map(([name, lines]) => {
    const taken =
      /\n {2}(?:private )?constructor\((.*?)\)(?: \{|: )/s.exec(`\n${lines.join('\n')}`)?.[1] ?? '';
    const given = [...interfaces].filter(([each]) => new RegExp(String.raw`: ${each}\b`).test(taken));
    const parts = Math.max(0, ...given.map(([, body]) => membersOf(body)));
    return { name: `${path} ${name}`, members: membersOf(lines), parts };
  });
});

test(`no file imports from more than ${MAX_IMPORTS} others, but for those that are left`, () => {
  const counts = [...files, ...filesOf('console/src')].map((path): [string, number] => [
    path,
    readFileSync(join(root, path), 'utf8').match(/^import\b[^;]*;/gm)?.length ?? 0,
  ]);
  expect(Object.fromEntries(counts.filter(([, count]) => count > MAX_IMPORTS).sort())).toEqual(MORE_IMPORTS);
});

test(`no class has more than ${MAX_MEMBERS} members, but for those that are left`, () => {
  expect(classes.length).toBeGreaterThan(300);
  const larger = classes.filter(({ members }) => members > MAX_MEMBERS);
  expect(Object.fromEntries(larger.map(({ name, members }) => [name, members]))).toEqual(LARGER);
});

test(`no class is made from more than ${MAX_PARTS} parts in one interface of its own`, () => {
  const made = classes.filter(({ parts }) => parts > MAX_PARTS);
  expect(made.map(({ name }) => name).sort()).toEqual(MORE_PARTS);
});
