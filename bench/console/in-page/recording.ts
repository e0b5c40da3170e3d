/** What is recorded in the measured page. */

/** What is waited for, in the frame that shows it. */
export type Shown =
  | { readonly kind: 'count'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  /** The list begins with this device. */
  | { readonly kind: 'first'; readonly id: string }
  /** Every row in view is there, and the list stands elsewhere than `from` (pixels). */
  | { readonly kind: 'rows'; readonly from: number };

export interface Recorded {
  /** Milliseconds from the last key, click or turn of the wheel. */
  readonly ms: number;
  /** Milliseconds of each task of the page over 50. */
  readonly longTasks: readonly number[];
}

export interface Scrolled {
  readonly frames: number;
  /** Frames of 1/60 s in which nothing was drawn, as the page was busy. */
  readonly dropped: number;
  /** Frames in which a row in view was not there yet. */
  readonly incomplete: number;
  readonly longTasks: readonly number[];
}
