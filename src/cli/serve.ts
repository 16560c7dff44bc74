// dialtree serve: runs until it is told to stop.
import { setFlagsFromString } from 'node:v8';
import { serve } from '../main.ts';
import type { Command } from './command.ts';

export const serveCommand: Command = {
  usage: [['serve', 'run the service']],
  async run(_words, config) {
    // Or the engine takes the objects of calls for long-lived and keeps them until a full collection (docs/decisions/0031).
    setFlagsFromString('--no-allocation-site-pretenuring');
    const service = await serve(config, (text) => process.stderr.write(text));
    // One call or request that fails where nobody expected it must not take the others along.
    process.on('uncaughtException', (error) => service.failed(error));
    process.on('unhandledRejection', (error) => service.failed(error));
    return new Promise((_resolve, reject) => {
      let asked = 0;
      const stop = (): void => {
        asked += 1;
        // The second signal hangs up and waits for nothing else; where nobody is on the line, and the third time, not even that.
        if (asked > 2 || (asked === 2 && !service.hangUp())) process.exit(1);
        if (asked === 2) return;
        // Left-over handles, such as a connection to a database that hangs, do not keep the process.
        service.drain().then(() => process.exit(0), reject);
      };
      process.on('SIGTERM', stop);
      process.on('SIGINT', stop);
    });
  },
};
