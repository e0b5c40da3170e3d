/** What an attack is. */
import type { Tally } from './tally.ts';
import type { Target } from './target/target.ts';

export interface Attack {
  /** For the command line. */
  readonly name: string;
  /** For the table. */
  readonly title: string;
  /** Left out of a target without one. */
  readonly needsSession?: true;
  /** As well. */
  readonly needsEnrolmentKey?: true;
  /** As well. */
  readonly needsPerson?: true;
  /** What has to be there before it, such as filters; what is given back takes it away again. */
  prepare?(target: Target): Promise<() => Promise<void>>;
  /** Goes on until the signal; every request and what came of it goes into the tally. */
  flood(target: Target, tally: Tally, signal: AbortSignal): Promise<void>;
  /** After each round: what was refused to its victim, such as a status. */
  check?(target: Target): Promise<readonly string[]>;
}
