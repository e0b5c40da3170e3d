/** Changes of a watched filter's members (Contract: §17). */
import type { DeviceId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** `moved`: to or from another organization. `deleted` includes a merge into another device. */
export const CHANGE_CAUSES = ['device', 'time', 'filter', 'deleted', 'moved'] as const;

export type ChangeCause = (typeof CHANGE_CAUSES)[number];

/** Between `degraded` and `recovered` the filter cannot be evaluated, so its members do not change. */
export type MembershipEvent =
  | {
      readonly type: 'entered' | 'left';
      readonly deviceId: DeviceId;
      /** Null if the device is gone. */
      readonly hostname: string | null;
      readonly cause: ChangeCause;
    }
  | { readonly type: 'degraded' | 'recovered' };

/** Every type of event. */
export const CHANGE_TYPES = [
  'entered',
  'left',
  'degraded',
  'recovered',
] as const satisfies readonly MembershipEvent['type'][];

/** An event in the feed of a filter. */
export type MembershipChange = MembershipEvent & {
  /** Counts from 1 within a filter, without gaps. */
  readonly seq: number;
  /** The instant of the evaluation. */
  readonly at: EpochMs;
  readonly filterVersion: number;
};

/** What happened to a device since the last evaluation. */
export type MarkKind = 'changed' | 'moved' | 'deleted';

/** A device that moves and then changes still counts as moved. */
export function joinMarks(earlier: MarkKind | undefined, later: MarkKind): MarkKind {
  return later === 'changed' && earlier === 'moved' ? earlier : later;
}
