// dialtree serve: runs until it is told to stop.
import { serve } from '../main.ts';
import type { Command } from './command.ts';

export const serveCommand: Command = {
  usage: [['serve', 'run the service']],
  async run(_words, config) {
    const service = await serve(config, (text) => process.stderr.write(text));
    return new Promise((resolve, reject) => {
      let asked = 0;
      const stop = (): void => {
        asked += 1;
        // The second signal does not wait for anything.
        if (asked > 1) process.exit(1);
        service.drain().then(() => resolve(0), reject);
      };
      process.on('SIGTERM', stop);
      process.on('SIGINT', stop);
    });
  },
};
