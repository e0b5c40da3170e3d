/** Long work that yields every few microseconds, so other work can run in between. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps without a pause. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
