/** Every operation and named shape. Tests compare them with the routes and with real answers. */
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { AUDIT_OPERATIONS } from '#adapters/http/audit/audit-routes.ts';
import { AUTH_OPERATIONS } from '#adapters/http/auth/auth-operations.ts';
import { USER } from '#adapters/http/auth/auth-shapes.ts';
import { LINK_OPERATIONS } from '#adapters/http/auth/link-routes.ts';
import { OIDC_OPERATIONS } from '#adapters/http/auth/oidc-routes.ts';
import { CUSTOM_FIELD_OPERATIONS } from '#adapters/http/custom-fields/custom-field-routes.ts';
import { CUSTOM_FIELD } from '#adapters/http/custom-fields/custom-field-shapes.ts';
import { DELETION_OPERATIONS } from '#adapters/http/deletion/deletion-routes.ts';
import { DELETION_REQUEST, REVIEWED_REQUEST } from '#adapters/http/deletion/deletion-shapes.ts';
import { DEVICE_OPERATIONS } from '#adapters/http/devices/device-operations.ts';
import { DEVICE, DEVICE_LIST, DEVICE_ROW } from '#adapters/http/devices/device-shapes.ts';
import { FILTER_OPERATIONS } from '#adapters/http/filters/filter-operations.ts';
import {
  CONDITION,
  CONDITION_GROUP,
  EXPLANATION,
  PREVIEW,
  PREVIEW_DEVICE,
  SAVED_FILTER,
} from '#adapters/http/filters/filter-shapes.ts';
import { IMPACT } from '#adapters/http/filters/impact-shapes.ts';
import { ALERT_OPERATIONS } from '#adapters/http/fleet/alert-routes.ts';
import { FLEET_OPERATIONS } from '#adapters/http/fleet/fleet-routes.ts';
import { TENANT_OPERATIONS } from '#adapters/http/fleet/tenant-routes.ts';
import { PROVIDER_OPERATIONS } from '#adapters/http/identity-providers/provider-routes.ts';
import { PROVIDER } from '#adapters/http/identity-providers/provider-shapes.ts';
import { INVENTORY_OPERATIONS } from '#adapters/http/inventory/inventory-routes.ts';
import { LIVE_OPERATIONS } from '#adapters/http/live/live-operations.ts';
import { CHANGE, DELIVERY, GUARD, NOTIFY, SUBSCRIPTION } from '#adapters/http/live/live-shapes.ts';
import { PEOPLE_OPERATIONS } from '#adapters/http/people/people-routes.ts';
import { PERSON } from '#adapters/http/people/people-shapes.ts';
import type { JsonSchema } from '#adapters/http/read/query-parameters.ts';
import { SERVICE_OPERATIONS } from '#adapters/http/service/service-operations.ts';
import type { Operations } from './operation.ts';

export const OPERATIONS: Operations = {
  ...FILTER_OPERATIONS,
  ...LIVE_OPERATIONS,
  ...DEVICE_OPERATIONS,
  ...INVENTORY_OPERATIONS,
  ...CUSTOM_FIELD_OPERATIONS,
  ...FLEET_OPERATIONS,
  ...ALERT_OPERATIONS,
  ...TENANT_OPERATIONS,
  ...PEOPLE_OPERATIONS,
  ...PROVIDER_OPERATIONS,
  ...AUTH_OPERATIONS,
  ...LINK_OPERATIONS,
  ...OIDC_OPERATIONS,
  ...DELETION_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...SERVICE_OPERATIONS,
};

const NAMED_SHAPES = {
  Change: CHANGE,
  Condition: CONDITION,
  ConditionGroup: CONDITION_GROUP,
  CustomField: CUSTOM_FIELD,
  DeletionRequest: DELETION_REQUEST,
  Delivery: DELIVERY,
  Device: DEVICE,
  DeviceList: DEVICE_LIST,
  DeviceRow: DEVICE_ROW,
  Explanation: EXPLANATION,
  Guard: GUARD,
  Impact: IMPACT,
  Notify: NOTIFY,
  IdentityProvider: PROVIDER,
  Person: PERSON,
  Preview: PREVIEW,
  PreviewDevice: PREVIEW_DEVICE,
  Profile: USER,
  ReviewedDeletionRequest: REVIEWED_REQUEST,
  SavedFilter: SAVED_FILTER,
  Subscription: SUBSCRIPTION,
} satisfies Readonly<Record<string, v.GenericSchema>>;

export function toShownSchema(schema: v.GenericSchema): JsonSchema {
  return convert(schema).shown;
}

export function namedSchemas(): Readonly<Record<string, JsonSchema>> {
  return convert(CONDITION).named;
}

function convert(schema: v.GenericSchema) {
  const {
    $schema: _,
    $defs: named = {},
    ...shown
  } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    definitions: NAMED_SHAPES,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    // Members need no examples, as whole bodies and answers have them.
    overrideAction: ({ jsonSchema }) => {
      const { example: _example, ...rest } = jsonSchema as { readonly example?: unknown };
      return rest;
    },
  });
  return { shown, named: named as Readonly<Record<string, JsonSchema>> };
}
