/** The database as it is now. Policies and grants are in `setup/security`. */
import { COLLATIONS, FUNCTIONS } from './functions.ts';
import { INDEXES } from './indexes.ts';
import { INITIAL_LOAD } from './initial-load.ts';
import { LIVE } from './live.ts';
import { SEARCH_FUNCTIONS, SEARCH_TABLES } from './search.ts';
import { BLOCK_FUNCTIONS, SEARCH_BLOCKS } from './search-blocks.ts';
import { SUBSCRIPTIONS } from './subscriptions.ts';
import {
  BULK_CHANGES,
  DEVICE_PARTS,
  DEVICES,
  FLEET_TYPES,
  HEARING,
  NARROW_ROWS,
  SCRIPTS_ALERTS_FILTERS,
} from './tables-fleet.ts';
import { AUDIT_LOG, DELETION_REQUESTS, MAIL, PEOPLE, SERVICE, SIGNING_IN, TENANTS } from './tables-people.ts';
import { TITLES } from './titles.ts';

/** The statements for an empty database, in order. */
export const SCHEMA = [
  'create extension if not exists pg_trgm;',
  COLLATIONS,
  ...[SERVICE, TENANTS, PEOPLE, SIGNING_IN, DELETION_REQUESTS, MAIL, AUDIT_LOG],
  ...[FLEET_TYPES, DEVICES, NARROW_ROWS, HEARING, DEVICE_PARTS, SCRIPTS_ALERTS_FILTERS, BULK_CHANGES],
  ...[SEARCH_FUNCTIONS, SEARCH_TABLES, BLOCK_FUNCTIONS, SEARCH_BLOCKS],
  ...[INDEXES, TITLES, FUNCTIONS, LIVE, SUBSCRIPTIONS, INITIAL_LOAD],
].join('\n');
