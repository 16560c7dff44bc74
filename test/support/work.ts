// How much work a module does, counted by V8 instead of timed: how often its functions, those of what it imports from this tree, and
// the loops and branches in them ran. The same on every machine, however busy. What is built in counts nothing: indexOf(), sort().
import { randomUUID } from 'node:crypto';
import { Session } from 'node:inspector/promises';

/** The work of each run, one after the other, in a copy of the module: what it holds in memory, earlier runs have put there. */
export async function workOf<Module>(
  url: URL,
  runs: readonly ((module: Module) => unknown)[],
): Promise<number[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    // Blocks are counted in what is compiled from here on.
    const query = `?counted=${randomUUID()}`;
    const module: Module = await import(/* @vite-ignore */ url.pathname + query);
    const work: number[] = [];
    for (const run of runs) {
      await session.post('Profiler.takePreciseCoverage');
      await run(module);
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const functions = result.filter(({ url: name }) => decodeURIComponent(name).endsWith(query));
      const ranges = functions.flatMap((script) => script.functions.flatMap((each) => each.ranges));
      work.push(ranges.reduce((sum, { count }) => sum + count, 0));
    }
    return work;
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    await session.post('Profiler.disable');
    session.disconnect();
  }
}
