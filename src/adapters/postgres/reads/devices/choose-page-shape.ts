/** Which shape a page of devices takes. */
import {
  chooseFirstShape,
  choosePreviewShape,
  chooseShape,
  type PreviewPlanning,
} from '#adapters/postgres/reads/filters/choose-shape.ts';
import type { CompiledFilter } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import type { DevicePageShape, ThresholdShape } from '#adapters/postgres/reads/sql/devices/device-page.ts';
import { SORT_COLUMNS } from '#adapters/postgres/reads/sql/devices/page-order.ts';
import type { CountedShape } from '#adapters/postgres/reads/sql/devices/preview-query.ts';
import type { DevicePageRequest } from '#application/ports/fleet/device-reader.ts';

/** What earlier pages showed. */
export interface KnownOfPages {
  /** How many matched. */
  readonly lastTotal: number | undefined;
  /** How many devices there are in the scope. */
  readonly inScope: number | undefined;
  /** Whether those beyond a threshold were too few again and again. */
  readonly isShort: boolean;
}

/** So many matches fill a page soon, whatever value comes first. */
const MANY_MATCHES = 20_000;

/** The same, if there are not more than so many times as many devices in the scope. */
const DENSE = 10;

/** A condition is repeated for each part, in characters. */
const SHORT_CONDITION = 1_000;

/** So far from where it begins, a page is too far for candidates, in devices. */
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

/** Whether a page of this shape may be short of devices. */
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

/** For values that no index has, since they change all the time. */
function chooseForValues(
  { limit, after, offset, withCount }: DevicePageRequest,
  filter: CompiledFilter,
  shape: CountedShape,
  known: KnownOfPages,
): CountedShape | ThresholdShape {
  if (known.isShort || limit + offset > FAR || after?.value === null) return shape;
  // Few of the states with a flag or a status are found by an index.
  const isScanned =
    filter.narrow === 'state' && (!filter.namesFlagOrStatus || (known.lastTotal ?? 0) >= MANY_MATCHES);
  if (isScanned && (shape === 'split' || isShortText(filter))) return 'one scan';
  const isFoundOnce = withCount && known.inScope !== undefined && isSparse(known);
  return shape === 'materialized' || isFoundOnce ? 'materialized' : 'beyond a threshold';
}

/** Whether so few match that all of them are found, counted and sorted sooner than a page and a count apart. */
function isSparse({ lastTotal, inScope = Number.POSITIVE_INFINITY }: KnownOfPages): boolean {
  return lastTotal !== undefined && lastTotal < MANY_MATCHES && lastTotal * DENSE < inScope;
}

function isShortText({ condition }: CompiledFilter): boolean {
  return condition.length <= SHORT_CONDITION;
}
