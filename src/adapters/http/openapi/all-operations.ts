/**
 * Every route by method and path as it is registered, with what the OpenAPI document says of it. A test holds the
 * table to the routes, and every answer of the HTTP tests to the document.
 */
import type { Operation } from './operation.ts';
import { API_KEY_OPERATIONS } from './operations/api-key-operations.ts';
import { CUSTOM_FIELD_OPERATIONS } from './operations/custom-field-operations.ts';
import { DELETION_OPERATIONS } from './operations/deletion-operations.ts';
import { DEVICE_OPERATIONS } from './operations/device-operations.ts';
import { FILTER_OPERATIONS } from './operations/filter-operations.ts';
import { FILTER_TEXT_OPERATIONS } from './operations/filter-text-operations.ts';
import { FLEET_OPERATIONS } from './operations/fleet-operations.ts';
import { INVENTORY_OPERATIONS } from './operations/inventory-operations.ts';
import { SERVICE_OPERATIONS } from './operations/service-operations.ts';
import { SESSION_OPERATIONS } from './operations/session-operations.ts';

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...FILTER_OPERATIONS,
  ...FILTER_TEXT_OPERATIONS,
  ...DEVICE_OPERATIONS,
  ...INVENTORY_OPERATIONS,
  ...CUSTOM_FIELD_OPERATIONS,
  ...FLEET_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...API_KEY_OPERATIONS,
  ...DELETION_OPERATIONS,
  ...SERVICE_OPERATIONS,
};
