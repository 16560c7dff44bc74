// Many hostile messages through everything that reads or writes SIP text, and the work that it costs, counted (test/support/work.ts).
import { workOf } from '../../support/work.ts';

/** Messages whose work is counted together: counting costs more than a message does. */
const AT_ONCE = 200;
/** Steps for each byte: a message is read several times. An expression that backtracks is none; test/regular-expressions.test.ts has those. */
export const MOST_WORK = 20;

/** What was thrown, with the message; and the most work that some of the messages cost, for each byte. */
export async function exerciseAll(
  count: number,
  message: (index: number) => Buffer,
): Promise<{ wrong: string[]; most: number }> {
  const wrong: string[] = [];
  const bytes: number[] = [];
  const batches = Array.from({ length: Math.ceil(count / AT_ONCE) }, (_, batch) => batch * AT_ONCE);
  const work = await workOf<typeof import('./exercise.ts')>(
    new URL('./exercise.ts', import.meta.url),
    batches.map((from) => ({ exercise }) => {
      let length = 0;
      for (let index = from; index < Math.min(count, from + AT_ONCE) && wrong.length < 5; index += 1) {
        const hostile = message(index);
        length += hostile.length;
        try {
          exercise(hostile);
        } catch (error) {
          wrong.push(`${String(error)}: ${hostile.toString('base64')}`);
        }
      }
      bytes.push(length);
    }),
  );
  return { wrong, most: Math.max(...work.map((each, index) => each / (bytes[index] ?? 1))) };
}
