/** Long work as a generator that yields every few microseconds, so other work can run in between. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
