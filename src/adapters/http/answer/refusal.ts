/** A handler refuses its request by throwing a problem; `answerThrown` sends it. */
import type { HttpContext } from '#adapters/http/http-env.ts';
import { type Id, parseId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import type { Problem } from './problem-status.ts';

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}

export function orRefuse<T>(result: Result<T, Problem>): T {
  if (result.ok) return result.value;
  throw new Refusal(result.error);
}

export function pathId<K extends string>(c: HttpContext, notFound: Problem, name = 'id'): Id<K> {
  const id = parseId<K>(c.req.param(name));
  if (id === null) throw new Refusal(notFound);
  return id;
}
