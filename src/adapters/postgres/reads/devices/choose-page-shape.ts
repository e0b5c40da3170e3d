import {
  chooseFirstShape,
  choosePreviewShape,
  chooseShape,
  type PreviewPlanning,
} from '#adapters/postgres/reads/filters/choose-shape.ts';
import type { CompiledFilter } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import type { DevicePageShape } from '#adapters/postgres/reads/sql/devices/device-page.ts';
import { SORT_COLUMNS } from '#adapters/postgres/reads/sql/devices/page-order.ts';
import type { CountedShape } from '#adapters/postgres/reads/sql/devices/preview-query.ts';
import type { ThresholdShape } from '#adapters/postgres/reads/sql/devices/threshold-page.ts';
import type { DevicePageRequest } from '#application/ports/fleet/device-reader.ts';

export interface KnownOfPages {
  readonly lastTotal: number | undefined;
  readonly inScope: number | undefined;
  /** Whether threshold pages of this list have repeatedly had too few devices. */
  readonly isShort: boolean;
}

/** With this many matches, a page fills quickly in any order. */
const MANY_MATCHES = 20_000;

/** A page also fills quickly if at least one in this many devices in scope matches. */
const DENSE = 10;

/** In characters. Longer conditions are too expensive to repeat for each part of a page. */
const SHORT_CONDITION = 1_000;

/** A page that ends after more devices than this takes no threshold, which would admit too many candidates. */
const FAR = 1_000;

export function choosePageShape(
  request: DevicePageRequest,
  filter: CompiledFilter,
  known: KnownOfPages,
  planning: PreviewPlanning,
): DevicePageShape {
  const shape = chooseForOrder(request, filter, known);
  if (shape !== 'materialized' || request.after !== null || request.offset > 0) return shape;
  const chooseFirst = request.sort.key === 'hostname' ? choosePreviewShape : chooseFirstShape;
  return chooseFirst(filter, known.lastTotal, planning);
}

function chooseForOrder(
  request: DevicePageRequest,
  filter: CompiledFilter,
  known: KnownOfPages,
): Exclude<DevicePageShape, 'windowed'> {
  const { sort } = request;
  const shape = chooseShape(filter, known.lastTotal);
  if (sort.key === 'hostname') return shape;
  const { words, isIndexed } = SORT_COLUMNS[sort.key];
  if (isIndexed) return shape === 'split' && isShortText(filter) ? 'part by part' : shape;
  return words.length > 0
    ? chooseForWords(filter, shape, known)
    : chooseForValues(request, filter, shape, known);
}

export function isThresholdShape(shape: DevicePageShape): shape is ThresholdShape {
  return shape === 'one scan' || shape === 'beyond a threshold';
}

function chooseForWords(
  filter: CompiledFilter,
  shape: CountedShape,
  known: KnownOfPages,
): CountedShape | 'part by part' {
  if (shape === 'materialized' || known.lastTotal === undefined) return shape;
  if (isSparse(known)) return 'materialized';
  return isShortText(filter) ? 'part by part' : shape;
}

/** Chooses a shape for an order by a number or an instant, which no index has. */
function chooseForValues(
  { limit, after, offset, withCount }: DevicePageRequest,
  filter: CompiledFilter,
  shape: CountedShape,
  known: KnownOfPages,
): CountedShape | ThresholdShape {
  if (known.isShort || limit + offset > FAR || after?.value === null) return shape;
  // If few devices have the flag or status, an index finds them faster than a scan.
  const isScanned =
    filter.narrow === 'state' && (!filter.namesFlagOrStatus || (known.lastTotal ?? 0) >= MANY_MATCHES);
  if (isScanned && (shape === 'split' || isShortText(filter))) return 'one scan';
  const isFoundOnce = withCount && known.inScope !== undefined && isSparse(known);
  return shape === 'materialized' || isFoundOnce ? 'materialized' : 'beyond a threshold';
}

/** Whether the matches are so few that finding and sorting them all is faster than a separate page and count. */
function isSparse({ lastTotal, inScope = Number.POSITIVE_INFINITY }: KnownOfPages): boolean {
  return lastTotal !== undefined && lastTotal < MANY_MATCHES && lastTotal * DENSE < inScope;
}

function isShortText({ condition }: CompiledFilter): boolean {
  return condition.length <= SHORT_CONDITION;
}
