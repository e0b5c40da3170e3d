export interface TextPiece {
  /** In UTF-16 code units. */
  readonly start: number;
  readonly piece: string;
  readonly isFaulty: boolean;
}

/** An empty fault marks the character after it. */
export function splitAtFaults(
  text: string,
  faults: readonly { readonly start?: number; readonly end?: number }[],
): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  const add = (end: number, isFaulty: boolean) => {
    if (end > at) pieces.push({ start: at, piece: text.slice(at, end), isFaulty });
    at = Math.max(at, end);
  };
  for (const { start = 0, end = 0 } of [...faults].sort((a, b) => (a.start ?? 0) - (b.start ?? 0))) {
    add(Math.min(start, text.length), false);
    add(Math.min(Math.max(end, start + 1), text.length), true);
  }
  add(text.length, false);
  return pieces;
}
