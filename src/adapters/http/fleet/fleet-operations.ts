/** The operations of fleet lists, summary and search in the OpenAPI document (Contract: §6, §10). */
import { json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import {
  ALERT_LIST_QUERY,
  ORGANIZATION_QUERY,
  PATCH_LIST_QUERY,
  SCRIPT_LIST_QUERY,
  SEARCH_QUERY,
} from './fleet-routes.ts';
import {
  ALERT_PAGE,
  ORGANIZATIONS,
  PATCH_PAGE,
  SCRIPT_PAGE,
  SEARCH_RESULTS,
  SITES,
  SUMMARY,
} from './fleet-shapes.ts';

export const FLEET_OPERATIONS: Operations = {
  ...operations('search', {
    'GET /api/v1/search': {
      id: 'search',
      summary: 'Search devices, scripts, alerts and settings pages',
      query: SEARCH_QUERY,
      answers: { 200: json('By category, best matches first.', SEARCH_RESULTS) },
      problems: ['search_timeout'],
    },
  }),
  ...operations('fleet', {
    'GET /api/v1/organizations': {
      id: 'listOrganizations',
      summary: 'List the organizations in reach',
      answers: { 200: json('By name.', ORGANIZATIONS) },
      problems: ['filter_timeout'],
    },
    'GET /api/v1/sites': {
      id: 'listSites',
      summary: 'List sites',
      query: ORGANIZATION_QUERY,
      answers: { 200: json('By name.', SITES) },
      problems: ['not_found'],
    },
    'GET /api/v1/alerts': {
      id: 'listAlerts',
      summary: 'List alerts, newest first',
      query: ALERT_LIST_QUERY,
      answers: { 200: json('A page of alerts.', ALERT_PAGE) },
      problems: ['not_found'],
    },
    'GET /api/v1/scripts': {
      id: 'listScripts',
      summary: 'List scripts by name',
      query: SCRIPT_LIST_QUERY,
      answers: { 200: json('A page of scripts. Each belongs to an organization or a partner.', SCRIPT_PAGE) },
      problems: ['not_found'],
    },
    'GET /api/v1/patches': {
      id: 'listPatches',
      summary: 'List patches by title, with numbers of devices',
      query: PATCH_LIST_QUERY,
      answers: { 200: json('A page of patches.', PATCH_PAGE) },
      problems: ['filter_timeout', 'not_found'],
    },
    'GET /api/v1/summary': {
      id: 'summarizeFleet',
      summary: 'The fleet in a few numbers',
      query: ORGANIZATION_QUERY,
      answers: { 200: json('Numbers of devices, unless a name says otherwise.', SUMMARY) },
      problems: ['filter_timeout', 'not_found'],
    },
  }),
};
