// Many requests ask for revisions at the same moment: one query answers them all. A request that arrives during a query
// waits for the next one, so that no answer is older than its request.
import { grouped } from '../group.ts';
import type { Topic } from '../ports/revisions.ts';

const LIMITS = { maxGroup: 1000, maxPending: 20_000 };

export function askTogether(
  ask: (topics: readonly Topic[]) => Promise<number[]>,
): (topics: readonly Topic[]) => Promise<number[]> {
  return grouped<readonly Topic[], number[]>(async (questions) => {
    const topics = [...new Set(questions.flat())];
    const found = await ask(topics);
    const byTopic = new Map(topics.map((topic, index) => [topic, found[index] ?? 0]));
    return questions.map((question) => ({ value: question.map((topic) => byTopic.get(topic) ?? 0) }));
  }, LIMITS);
}
