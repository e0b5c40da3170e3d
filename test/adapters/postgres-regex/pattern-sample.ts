/** One pattern, and the texts to try it on. */
export interface PatternSample {
  readonly pattern: string;
  readonly texts: readonly string[];
}
