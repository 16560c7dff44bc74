import { type Problem, problem } from '../../kinds/problem.ts';

export function tooOften(seconds: number): Problem {
  return problem('rate_limited', `There were too many tries to sign in; wait ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
