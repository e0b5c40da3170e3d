/**
 * Long work that can be left off: whoever runs it decides, between two steps of some microseconds, what else goes
 * first.
 */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps at a stretch; returns or throws what they do. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
