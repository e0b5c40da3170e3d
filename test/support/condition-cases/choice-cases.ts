/** Enumerations, booleans and ids (Contract: §3, §4; research: 23-26). */
import { ALL, allBut, type ConditionCase, casesOf, NONE } from './case.ts';
import { CONDITION_ORG_ID, idOf, NEIGHBOUR_ORG_ID, SITE_A_ID, SITE_B_ID } from './fleet.ts';

const WITH_OS = ['plain', 'shouting', 'backslash', 'nfc', 'nfd', 'emoji'] as const;
const WITH_PATCHES = ['plain', 'shouting', 'percent', 'letter-x', 'dotted-i'] as const;
const WITH_METRICS = ['plain', 'shouting', 'percent', 'underscore', 'letter-x', 'backslash', 'nfc'] as const;
const WITH_WATCHDOG = ['plain', 'shouting', 'percent'] as const;

export const CHOICE_CASES: readonly ConditionCase[] = [
  ...casesOf('status', [
    ['equals', 'online', ['plain', 'shouting']],
    ['equals', 'maintenance', ['trailing-space']],
    ['equals', 'decommissioned', ['percent']],
    ['equals', 'quarantined', ['underscore']],
    ['equals', 'updating', ['letter-x']],
    ['equals', 'pending', ['bare']],
    ['notEquals', 'online', allBut('plain', 'shouting')],
    ['in', ['online', 'maintenance'], ['plain', 'shouting', 'trailing-space']],
    ['in', [], NONE],
    ['in', ['online', 'offline', 'maintenance', 'decommissioned', 'quarantined', 'updating', 'pending'], ALL],
    ['notIn', [], ALL],
    [
      'notIn',
      ['offline'],
      ['bare', 'plain', 'shouting', 'trailing-space', 'percent', 'underscore', 'letter-x'],
    ],
  ]),
  ...casesOf('osType', [
    ['equals', 'windows', ['plain', 'shouting', 'backslash']],
    ['notEquals', 'windows', allBut('plain', 'shouting', 'backslash')],
    ['in', ['macos', 'linux'], ['nfc', 'nfd', 'emoji']],
    ['notIn', ['windows', 'macos', 'linux'], allBut(...WITH_OS)],
    ['in', [], NONE],
    ['notIn', [], ALL],
  ]),
  ...casesOf('architecture', [
    ['equals', 'arm64', ['nfc']],
    ['notEquals', 'x64', allBut('plain')],
    ['in', ['x64', 'x86'], ['plain', 'shouting']],
  ]),
  ...casesOf('watchdogStatus', [
    ['equals', 'connected', ['plain']],
    ['notEquals', 'connected', allBut('plain')],
    ['in', ['connected', 'failover'], ['plain', 'shouting']],
    ['notIn', ['connected', 'failover', 'offline'], allBut(...WITH_WATCHDOG)],
  ]),
  ...casesOf('deviceRole', [
    ['equals', 'unknown', allBut('plain', 'shouting', 'emoji')],
    ['notEquals', 'unknown', ['plain', 'shouting', 'emoji']],
    ['in', ['server', 'access_point'], ['shouting']],
  ]),
  ...casesOf('isHeadless', [
    ['equals', true, ['plain', 'digits']],
    ['equals', 'true', ['plain', 'digits']],
    ['equals', false, ['shouting']],
    ['equals', 'false', ['shouting']],
    ['notEquals', true, allBut('plain', 'digits')],
    ['notEquals', false, allBut('shouting')],
    ['notEquals', 'false', allBut('shouting')],
    ['isNull', undefined, allBut('plain', 'shouting', 'digits')],
    ['isNotNull', undefined, ['plain', 'shouting', 'digits']],
  ]),
  ...casesOf('system.rebootRequired', [
    ['equals', true, ['plain', 'percent']],
    ['equals', 'true', ['plain', 'percent']],
    ['equals', false, allBut('plain', 'percent')],
    ['notEquals', true, allBut('plain', 'percent')],
    ['notEquals', false, ['plain', 'percent']],
  ]),
  ...casesOf('patches.pending', [
    ['equals', true, ['plain', 'percent']],
    ['equals', false, allBut('plain', 'percent')],
    ['notEquals', true, allBut('plain', 'percent')],
    ['notEquals', false, ['plain', 'percent']],
  ]),
  ...casesOf('patches.reported', [
    ['equals', true, WITH_PATCHES],
    ['equals', 'false', allBut(...WITH_PATCHES)],
    ['notEquals', true, allBut(...WITH_PATCHES)],
    ['notEquals', false, WITH_PATCHES],
  ]),
  ...casesOf('metrics.reported', [
    ['equals', true, WITH_METRICS],
    ['equals', false, allBut(...WITH_METRICS)],
    ['notEquals', 'true', allBut(...WITH_METRICS)],
    ['notEquals', false, WITH_METRICS],
  ]),
  ...casesOf('alerts.critical', [
    ['equals', true, ['plain', 'emoji']],
    ['equals', false, allBut('plain', 'emoji')],
    ['notEquals', true, allBut('plain', 'emoji')],
    ['notEquals', 'false', ['plain', 'emoji']],
  ]),
  ...casesOf('id', [
    ['equals', idOf('plain'), ['plain']],
    ['equals', idOf('plain').toUpperCase(), ['plain']],
    ['equals', CONDITION_ORG_ID, NONE],
    ['in', [idOf('plain'), idOf('shouting')], ['plain', 'shouting']],
    ['in', [], NONE],
  ]),
  ...casesOf('orgId', [
    ['equals', CONDITION_ORG_ID, ALL],
    ['equals', CONDITION_ORG_ID.toUpperCase(), ALL],
    ['equals', NEIGHBOUR_ORG_ID, NONE],
    ['in', [NEIGHBOUR_ORG_ID, CONDITION_ORG_ID], ALL],
    ['in', [], NONE],
  ]),
  ...casesOf('siteId', [
    ['equals', SITE_A_ID, ['plain']],
    ['equals', SITE_A_ID.toUpperCase(), ['plain']],
    ['equals', CONDITION_ORG_ID, NONE],
    ['in', [SITE_A_ID, SITE_B_ID.toUpperCase()], ['plain', 'shouting']],
    ['in', [], NONE],
  ]),
];
