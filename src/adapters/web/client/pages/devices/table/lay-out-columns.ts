/** What a column asks for, in pixels. */
export interface ColumnWish {
  readonly id: string;
  /** The column gets narrower only if its content is narrower. */
  readonly width: number;
}

/** In pixels, by column id. */
export type ColumnWidths = Readonly<Record<string, number>>;

export interface LaidOutColumns {
  readonly widths: readonly number[];
  /** True if the list scrolls sideways. */
  readonly isWide: boolean;
}

/** In pixels. While the list scrolls sideways, wider content is cut. */
const LONGEST = 320;

/** The first column stays visible while the others scroll, so it gets at most this share of the list. */
const LARGEST_SHARE = 0.4;

/**
 * Columns are as wide as their content and share the remaining space. If space is short, the widest are cut. Widths
 * set by hand stay.
 */
export function layOutColumns(
  columns: readonly ColumnWish[],
  natural: ColumnWidths,
  byHand: ColumnWidths,
  room: number,
): LaidOutColumns {
  const wanted = columns.map(({ id, width }) => byHand[id] ?? natural[id] ?? width);
  const least = columns.map(({ id, width }, i) => byHand[id] ?? Math.min(wanted[i] ?? 0, width));
  const isByHand = columns.map(({ id }) => byHand[id] !== undefined);
  const cutAt = (limit: number) =>
    wanted.map((width, i) =>
      isByHand[i] === true ? width : Math.floor(Math.max(least[i] ?? 0, Math.min(width, limit))),
    );
  if (sum(cutAt(0)) > room) {
    const widths = cutAt(LONGEST);
    const [first = 0] = widths;
    if (isByHand[0] !== true) widths[0] = Math.min(first, Math.max(150, Math.floor(room * LARGEST_SHARE)));
    if (sum(widths) > room) return { widths, isWide: true };
    return { widths: spread(widths, isByHand, room), isWide: false };
  }
  let [limit, tooMuch] = [0, Math.max(...wanted) + 1];
  while (tooMuch - limit > 1) {
    const middle = Math.floor((limit + tooMuch) / 2);
    if (sum(cutAt(middle)) > room) tooMuch = middle;
    else limit = middle;
  }
  return { widths: spread(cutAt(limit), isByHand, room), isWide: false };
}

function spread(widths: readonly number[], isByHand: readonly boolean[], room: number): readonly number[] {
  const left = room - sum(widths);
  const elastic = sum(widths.filter((_, i) => isByHand[i] !== true));
  if (elastic === 0) return widths;
  const filled = widths.map((width, i) =>
    isByHand[i] === true ? width : width + Math.floor((left * width) / elastic),
  );
  const last = isByHand.lastIndexOf(false);
  return filled.map((width, i) => (i === last ? width + room - sum(filled) : width));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
