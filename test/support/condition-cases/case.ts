/** One row of the case table of conditions. */
import type { EpochMs } from '#domain/time.ts';
import type { RawCondition } from '#test/support/filters.ts';
import { DEVICE_NAMES, type DeviceName } from './fleet.ts';

export interface ConditionCase {
  readonly name: string;
  readonly condition: RawCondition;
  /** The instant of evaluation. Default: that of the fleet. */
  readonly at?: EpochMs;
  /** The hostnames of the devices that match, in the order of a preview. */
  readonly matches: readonly string[];
}

/** Operator, value, matching devices, and the instant of evaluation. */
export type Row = readonly [operator: string, value: unknown, matches: readonly DeviceName[], at?: EpochMs];

export const ALL: readonly DeviceName[] = DEVICE_NAMES;
export const NONE: readonly DeviceName[] = [];

/** Every device except these. */
export function allBut(...names: readonly DeviceName[]): readonly DeviceName[] {
  return ALL.filter((name) => !names.includes(name));
}

/** The cases of one field. The value `undefined` stands for no value. */
export function casesOf(field: string, rows: readonly Row[]): readonly ConditionCase[] {
  return rows.map(([operator, value, matches, at]) => {
    const words = value === undefined ? '' : ` ${shorten(JSON.stringify(value))}`;
    return {
      name: `${field} ${operator}${words}${at === undefined ? '' : ` at ${new Date(at).toISOString()}`}`,
      condition: { field, operator, ...(value !== undefined && { value }) },
      ...(at !== undefined && { at }),
      matches: matches.toSorted(),
    };
  });
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
