// Loaded into a service before its own code (NODE_OPTIONS=--import): SIGUSR2 ends the oldest media worker, as a crash of it would.
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

const workers = new Set();
threads.Worker = class extends threads.Worker {
  constructor(file, options) {
    super(file, options);
    if (!String(file).includes('media-worker')) return;
    workers.add(this);
    this.once('exit', () => workers.delete(this));
  }
};
syncBuiltinESMExports();

process.on('SIGUSR2', () => {
  const [oldest] = workers;
  void oldest?.terminate();
});
