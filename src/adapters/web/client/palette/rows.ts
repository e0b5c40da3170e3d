/** The rows of the palette (Contract: §14). */
import type { IconName } from '#console/parts/display/icon.tsx';

export interface Row {
  /** No two rows of the list share it. */
  readonly id: string;
  readonly icon: IconName;
  readonly title: string;
  /** On the right, in grey. */
  readonly context?: string;
  /** The keys that do the same. */
  readonly keys?: string;
  /** Whether it is a device, whose name can be copied. */
  readonly isDevice?: boolean;
  readonly target: Target;
}

/** Where a row leads, or what it does. */
export type Target =
  | { readonly to: string; readonly search?: Readonly<Record<string, string>> }
  /** A page that is no part of this one. */
  | { readonly address: string }
  | { readonly run: () => void };

export interface RowGroup {
  readonly title: string;
  readonly rows: readonly Row[];
}
