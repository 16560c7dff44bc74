// dialtree serve: runs until a signal or an uncaught error ends it.
import { setFlagsFromString } from 'node:v8';
import { type Command, parseWords, UnknownWordError } from './command.ts';
import { io, remark } from './io.ts';
import { misspeltVariables } from './misspelt.ts';

/** Uncaught errors that one drain survives: one cause may bring several, and calls in progress still deserve their BYE and record. */
const MAX_ERRORS = 20;

export const serveCommand: Command = {
  usage: [['serve', 'run the service']],
  options: {},
  examples: ['serve', 'serve   # with PORT=9000 DATA_DIR=/var/lib/dialtree in the environment'],
  details: [
    'Settings come from the environment (docs/configuration.md). Ctrl-C or SIGTERM lets calls finish, then ends it.',
  ],
  async run(words, config) {
    const [word] = parseWords(words, {}).positionals;
    if (word !== undefined)
      throw new UnknownWordError(`"dialtree serve" takes no "${word}".`, word, ['--help']);
    for (const line of misspeltVariables(io().environment)) remark(`warning: ${line}\n`);
    // Or the engine takes the objects of calls for long-lived and keeps them until a full collection (docs/decisions/0009).
    setFlagsFromString('--no-allocation-site-pretenuring');
    const { serve } = await import('../main.ts');
    const service = await serve(config, process.stderr);
    return new Promise((_resolve, reject) => {
      let signals = 0;
      let errors = 0;
      // Left-over handles, such as a connection to a database that hangs, do not keep the process.
      const drain = (): void => void service.drain().then(() => process.exit(errors > 0 ? 1 : 0), reject);
      const stop = (): void => {
        signals += 1;
        // The second signal hangs up and waits for nothing else; without calls, and the third time, not even that.
        if (signals === 1) drain();
        else if (signals > 2) process.exit(1);
        else void service.hangUp().then((hadCalls) => hadCalls || process.exit(1), fail);
      };
      // The state is unknown from here on: calls and requests may finish, then a supervisor starts a new process. A call
      // or request that fails is caught where it is handled and does not come here.
      const fail = (error: unknown): void => {
        service.failed(error);
        errors += 1;
        if (errors > MAX_ERRORS) process.exit(1);
        if (errors === 1) drain();
      };
      process.on('SIGTERM', stop);
      process.on('SIGINT', stop);
      // Those of a command, which end the process at once.
      process.removeAllListeners('uncaughtException');
      process.removeAllListeners('unhandledRejection');
      process.on('uncaughtException', fail);
      process.on('unhandledRejection', fail);
    });
  },
};
