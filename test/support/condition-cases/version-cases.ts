/** Versions and rings (Contract: §18). */
import { createHash } from 'node:crypto';
import { ALL, allBut, type ConditionCase, casesOf, NONE } from './case.ts';
import { type DeviceName, idOf } from './fleet.ts';

const WITH_AGENT = ['plain', 'shouting', 'digits'] as const;
const WITH_OS = ['plain', 'shouting', 'nfc'] as const;

export const VERSION_CASES: readonly ConditionCase[] = [
  ...casesOf('agent.version', [
    ['equals', '2.1.3', ['plain', 'digits']],
    ['equals', 'v2.1.3', NONE],
    ['equals', '2.1.3.0-0', ['plain', 'digits']],
    ['equals', '2.01.3', ['plain', 'digits']],
    ['notEquals', '2.1.3.0', allBut('plain', 'digits')],
    ['greaterThan', '2.1.3', ['shouting']],
    ['greaterThan', '2.1.3-rc1', WITH_AGENT],
    ['greaterThan', '2.1.3a', ['shouting']],
    ['greaterThanOrEquals', 2, WITH_AGENT],
    ['lessThan', '2.1.10', ['plain', 'digits']],
    ['lessThan', '2.1.9', ['plain', 'digits']],
    ['lessThan', '99999999999999999999999999', WITH_AGENT],
    ['lessThanOrEquals', '2.1.10', WITH_AGENT],
    ['lessThanOrEquals', '2.1', NONE],
    ['between', { from: '2.1.4', to: '2.1.10.0' }, ['shouting']],
    ['between', { from: '2.1.3', to: '2.1.3' }, ['plain', 'digits']],
    ['in', ['2.1.3.0', '7'], ['plain', 'digits']],
    ['in', [], NONE],
    ['notIn', ['2.1.3.0', '7'], allBut('plain', 'digits')],
    ['notIn', [], ALL],
    ['isNull', undefined, allBut(...WITH_AGENT)],
    ['isNotNull', undefined, WITH_AGENT],
  ]),
  ...casesOf('os.version', [
    ['lessThan', '11', ['shouting']],
    ['greaterThan', '9', WITH_OS],
    ['greaterThanOrEquals', 14.4, ['nfc']],
    ['equals', '11.0.0', ['plain']],
    ['isNull', undefined, allBut(...WITH_OS)],
  ]),
  ...casesOf('software[Google Chrome].version', [
    ['lessThan', '119', NONE],
    ['lessThan', '120', ['plain']],
    ['lessThan', '130', ['plain']],
    ['greaterThan', '120.0', ['plain']],
    ['greaterThanOrEquals', '130.0.6723.60', NONE],
    ['between', { from: '121', to: '129' }, NONE],
    ['between', { from: '121', to: '131' }, ['plain']],
    ['equals', '120', ['plain']],
    ['equals', '130', NONE],
    ['notEquals', '119.0.0', allBut('plain')],
    ['notEquals', '125', ALL],
    ['in', ['1', '120.0.0'], ['plain']],
    ['in', [], NONE],
    ['notIn', ['1', '120'], allBut('plain')],
    ['notIn', [], ALL],
    ['isNull', undefined, allBut('plain')],
    ['isNotNull', undefined, ['plain']],
  ]),
  ...casesOf('software[google CHROME].version', [['lessThan', '130', ['plain']]]),
  ...casesOf('software[straße].version', [
    ['isNotNull', undefined, ['sharp-s']],
    ['equals', 'N-A', ['sharp-s']],
  ]),
  ...casesOf('software[a "b" ]:c].version', [['isNull', undefined, ALL]]),
  ...casesOf('software[Unheard of].version', [
    ['greaterThan', '0', NONE],
    ['notEquals', '1', ALL],
  ]),
  ...casesOf('rollout.bucket', [
    ['lessThan', 0, NONE],
    ['lessThan', 25, ringOf((bucket) => bucket < 25)],
    ['lessThan', 100, ALL],
    ['greaterThanOrEquals', 25, ringOf((bucket) => bucket >= 25)],
    ['between', { from: 10, to: 60 }, ringOf((bucket) => bucket >= 10 && bucket <= 60)],
    ['equals', bucketOf('plain'), ringOf((bucket) => bucket === bucketOf('plain'))],
    ['notEquals', bucketOf('plain'), ringOf((bucket) => bucket !== bucketOf('plain'))],
    ['isNull', undefined, NONE],
    ['isNotNull', undefined, ALL],
  ]),
];

function ringOf(isIn: (bucket: number) => boolean): readonly DeviceName[] {
  return ALL.filter((name) => isIn(bucketOf(name)));
}

function bucketOf(name: DeviceName): number {
  return createHash('sha256').update(idOf(name)).digest().readUInt32BE(0) % 100;
}
