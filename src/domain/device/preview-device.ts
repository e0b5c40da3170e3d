import { compareCodePoints } from '#domain/text/compare-code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { Device } from './device.ts';

/** A device as previews show it (Spec: Preview result). */
export type PreviewDevice = Pick<
  Device,
  'id' | 'hostname' | 'displayName' | 'osType' | 'status' | 'lastSeenAt'
>;

/** By lower-cased hostname in code point order, then id, across all organizations (Contract: §5). */
export function comparePreviewOrder(a: Device, b: Device): number {
  return (
    compareCodePoints(foldCase(a.hostname), foldCase(b.hostname)) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}
