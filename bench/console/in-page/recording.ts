/** The condition that the frame must show. */
export type Shown =
  | { readonly kind: 'count'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  /** The list begins with this device. */
  | { readonly kind: 'first'; readonly id: string }
  /** Every row in view is there, and the list has left `from` (pixels). */
  | { readonly kind: 'rows'; readonly from: number };

export interface Recorded {
  /** From the last key, click or turn of the wheel. */
  readonly ms: number;
  /** Each task of the page over 50 ms. */
  readonly longTasks: readonly number[];
}

export interface Scrolled {
  readonly frames: number;
  /** Frames of 1/60 s without drawing, because the page was busy. */
  readonly dropped: number;
  /** Frames that lacked a row in view. */
  readonly incomplete: number;
  readonly longTasks: readonly number[];
}
