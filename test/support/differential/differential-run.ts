/**
 * Compares both evaluators on generated filters and worlds, for any number of runs. The seed determines all random
 * choices. A difference is shrunk to the smallest filter that shows it.
 */
import fc from 'fast-check';
import { COMPLEMENTS } from '#domain/filter/conditions/operator-meanings.ts';
import { randomFilter } from '#test/support/random/random-filters.ts';
import { EVALUATION_INSTANTS } from '#test/support/random/random-scalars.ts';
import { compareComplements, compareEvaluators, Disagreement, type Question } from './compare-evaluators.ts';
import { DifferentialTally } from './differential-tally.ts';
import { type DifferentialWorld, openDifferentialWorld, type Reach } from './differential-world.ts';

export interface DifferentialOptions {
  /** The connection string of a role that may create databases. */
  readonly adminUrl: string;
  /** A 32-bit integer. */
  readonly seed: number;
  /** The minimum number of filters. */
  readonly runs: number;
  /** The number of filters for each world. */
  readonly runsPerWorld: number;
  /** The number of devices in a world. */
  readonly deviceCount: number;
  /** The locale of the databases. Default: the server's. */
  readonly locale?: 'C';
  /** Ends the run early without a failure. */
  readonly signal?: AbortSignal;
  /** Called now and then with the progress. */
  readonly onProgress?: (tally: DifferentialTally) => void;
}

/**
 * Resolves to the tally of a run in which all answers agreed. Otherwise rejects with the seed and the shrunk
 * counterexample.
 */
export async function runDifferential(options: DifferentialOptions): Promise<DifferentialTally> {
  const { runs, runsPerWorld, adminUrl, deviceCount, seed, signal, locale } = options;
  const tally = new DifferentialTally();
  for (let index = 0; tally.filters < runs && !signal?.aborted; index++) {
    const worldSeed = (seed + index) | 0;
    const isIndexed = index % 2 === 1;
    const world = await openDifferentialWorld({
      ...{ adminUrl, seed: worldSeed, deviceCount, isIndexed, locale },
    });
    try {
      tally.addWorld(world.reaches);
      await askOneWorld(world, worldSeed, Math.min(runs, tally.filters + runsPerWorld), tally, options);
    } finally {
      await world.close();
    }
  }
  return tally;
}

/** The maximum number of concurrent questions. */
const MAX_BATCH = 16;

/** Batches between two reports of progress. */
const BATCHES_PER_ROUND = 12;

async function askOneWorld(
  world: DifferentialWorld,
  worldSeed: number,
  target: number,
  tally: DifferentialTally,
  { seed, signal, onProgress }: DifferentialOptions,
): Promise<void> {
  let hasFailed = false;
  // A broken connection is not worth shrinking: every later question fails with it at once.
  let breakdown: unknown = null;
  const ask = async <Q>(questions: readonly Q[], answer: (question: Q) => Promise<() => void>) => {
    if (breakdown !== null) throw breakdown;
    const outcomes = await Promise.allSettled(questions.map(answer));
    const failure = outcomes.find(({ status }) => status === 'rejected');
    hasFailed ||= failure !== undefined;
    if (failure?.status === 'rejected') {
      if (!(failure.reason instanceof Disagreement)) breakdown = failure.reason;
      throw failure.reason;
    }
    // While a failure is being shrunk, nothing is counted.
    if (!hasFailed) for (const outcome of outcomes) if (outcome.status === 'fulfilled') outcome.value();
  };
  const filters = fc.asyncProperty(batchOf(world, filterQuestion), (questions) =>
    ask(questions, async (question) => {
      const agreement = await compareEvaluators(world, question);
      return () => tally.addAgreement(question, agreement);
    }),
  );
  const complements = fc.asyncProperty(batchOf(world, complementQuestion), (questions) =>
    ask(questions, async (question) => {
      await compareComplements(world, question);
      return () => tally.addComplement();
    }),
  );
  for (let round = 0; tally.filters < target && !signal?.aborted; round++) {
    const roundSeed = Math.imul(worldSeed, 0x9e3779b1) ^ round;
    for (const [property, numRuns] of [[filters, BATCHES_PER_ROUND] as const, [complements, 1] as const]) {
      const { failed, errorInstance } = await fc.check<[readonly unknown[]]>(property as never, {
        seed: roundSeed,
        numRuns,
      });
      if (failed) throw new Error(`With seed ${seed}: ${explain(errorInstance)}`);
    }
    onProgress?.(tally);
  }
}

function explain(error: unknown): string {
  if (error instanceof Disagreement) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function batchOf<Q>(
  { reaches }: DifferentialWorld,
  questionOf: (reach: Reach) => fc.Arbitrary<Q>,
): fc.Arbitrary<readonly Q[]> {
  const question = fc.oneof(
    ...reaches.map((reach) => ({ weight: reach.devices.length === 0 ? 1 : 3, arbitrary: questionOf(reach) })),
  );
  return fc.array(question, { minLength: 1, maxLength: MAX_BATCH, size: 'max' });
}

function filterQuestion(reach: Reach): fc.Arbitrary<Question> {
  return fc.record({
    reach: fc.constant(reach),
    conditions: randomFilter(reach.leaves),
    at: fc.constantFrom(...EVALUATION_INSTANTS),
    limit: fc.constantFrom(1, 10, 100),
    previews: fc.constantFrom(1, 1, 3),
  });
}

/** One condition with an operator that is the complement of another operator. */
function complementQuestion(reach: Reach): fc.Arbitrary<Question> {
  const negative = reach.leaves.filter(({ operator }) => Object.hasOwn(COMPLEMENTS, operator));
  return fc.record({
    reach: fc.constant(reach),
    conditions: fc
      .oneof(...negative.map(({ arbitrary }) => arbitrary))
      .map((condition) => ({ operator: 'AND', conditions: [condition] })),
    at: fc.constantFrom(...EVALUATION_INSTANTS),
    limit: fc.constant(1),
    previews: fc.constant(0),
  });
}
