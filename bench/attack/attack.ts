import type { Tally } from './tally.ts';
import type { Target } from './target/target.ts';

export interface Attack {
  /** Named on the command line. */
  readonly name: string;
  /** Heads the row of the table. */
  readonly title: string;
  /** Skipped if the target has none, as with the next three. */
  readonly needsSession?: true;
  readonly needsEnrolmentKey?: true;
  readonly needsPerson?: true;
  readonly needsOperator?: true;
  /** Creates what the attack needs, such as filters. The returned function deletes it. */
  prepare?(target: Target): Promise<() => Promise<void>>;
  /** Runs until the signal. Every request and its outcome goes into the tally. */
  flood(target: Target, tally: Tally, signal: AbortSignal): Promise<void>;
  /** Runs after each round. Returns refusals to the victim, such as a status. */
  check?(target: Target): Promise<readonly string[]>;
}
