/** Definitions of custom fields, for those who may change devices (Contract: §10). */
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#console/api/http.ts';
import type { List } from '#console/api/types.ts';
import type { CustomFieldType } from '#domain/fleet/fleet-record.ts';

/** Of an organization or of a partner; the other is absent. */
export interface CustomFieldDefinition {
  readonly id: string;
  readonly orgId?: string;
  readonly partnerId?: string;
  readonly key: string;
  readonly name: string;
  readonly type: CustomFieldType;
  /** What a dropdown offers. */
  readonly choices?: readonly string[];
}

export const customFieldsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['custom-fields'],
    queryFn: async ({ signal }) =>
      (await api.call<List<CustomFieldDefinition>>('/custom-fields', { signal })).data,
    staleTime: 60_000,
  });
