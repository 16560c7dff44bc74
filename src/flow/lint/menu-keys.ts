// What is odd inside one menu: it works, but not as its author will have meant.

import type { Flow } from '../flow.ts';
import type { MenuNode } from '../node.ts';
import type { Finding } from './finding.ts';

/** An option that begins like another: the caller who presses it waits until the other has become impossible. */
export function* shadowedOptions(flow: Flow, node: MenuNode): Iterable<Finding> {
  const seconds = flow.settings.interDigitMs / 1_000;
  for (const [index, { keys }] of node.options.entries()) {
    const longer = node.options.find((other) => other.keys !== keys && other.keys.startsWith(keys));
    if (!longer) continue;
    const message = `Option ${keys} begins like option ${longer.keys}: callers who press ${keys} wait ${seconds} s.`;
    yield {
      code: 'option-shadowed',
      severity: 'warning',
      node: node.ref,
      pointer: `/option/${index}`,
      message,
    };
  }
}

/** With a time-out of 0 the retries follow each other without a pause to press anything in. */
export function* retriesWithoutWait(_flow: Flow, node: MenuNode): Iterable<Finding> {
  if (node.timeoutSeconds > 0 || node.timeoutTries === 0) return;
  yield {
    code: 'timeout-zero-retries',
    severity: 'warning',
    node: node.ref,
    pointer: '/timeout',
    message: `The time-out is 0, so the ${node.timeoutTries} retries play one after the other without waiting.`,
  };
}
