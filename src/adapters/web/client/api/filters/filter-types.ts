/** What the API answers about filters (Contract: §3, §5, §10, §12). */
import type { List } from '#console/api/types.ts';
import type { DeviceStatus, OsType } from '#domain/device/device.ts';
import type { FieldCategory } from '#domain/filter/catalog/core-fields.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import type { FieldType } from '#domain/filter/catalog/operator-matrix.ts';

export interface SavedFilter {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly description: string | null;
  /** As it was saved, any number of levels deep. */
  readonly conditions: unknown;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A field as GET /filters/fields lists it; an ambiguous one has no type. */
export interface ListedField {
  readonly key: string;
  readonly label: string;
  readonly category: FieldCategory;
  readonly type?: FieldType;
  readonly operators: readonly Operator[];
  readonly values?: readonly string[];
  readonly description?: string;
}

export interface MatchedDevice {
  readonly id: string;
  readonly orgId: string;
  readonly hostname: string;
  readonly displayName: string | null;
  readonly status: DeviceStatus;
  readonly osType: OsType | null;
  readonly lastSeenAt: string | null;
}

export interface Matches extends List<MatchedDevice> {
  readonly totalCount: number;
  readonly evaluatedAt: string;
}

/** What is known of one condition or group. */
export interface ExplainedNode {
  readonly path: string;
  readonly operator: string;
  readonly field?: string;
  readonly count: number;
  readonly countWithout?: number;
  readonly device?: { readonly matches: boolean; readonly actual?: unknown };
}

export interface Explanation {
  readonly evaluatedAt: string;
  readonly deviceCount: number;
  readonly totalCount: number;
  /** In document order. */
  readonly nodes: readonly ExplainedNode[];
}

export interface Site {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
}
