/** Long work as a generator; it yields every few microseconds, so the runner can do something else first. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
