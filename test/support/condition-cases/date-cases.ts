/** Dates, absolute and relative (Contract: §4; research: 35-46). */
import { ALL, allBut, type ConditionCase, casesOf, NONE } from './case.ts';
import { CONDITION_AT } from './fleet.ts';

const NEVER_SEEN = ['bare', 'empty-name', 'trailing-space', 'quotes', 'decimal', 'tiny', 'accents'] as const;
const SEEN = allBut(...NEVER_SEEN);

/** Seen at the instant of evaluation or in the future. */
const NOW = ['plain', 'dotted-i', 'digits'] as const;
const WITHIN_A_DAY = [...NOW, 'shouting', 'percent', 'letter-x'] as const;
const WITHIN_A_MONTH = [...WITHIN_A_DAY, 'underscore', 'backslash'] as const;
const BEFORE_10_FEBRUARY = ['capital-sigma', 'kelvin', 'emoji', 'two-lines'] as const;

const span = (amount: number, unit: string) => ({ amount, unit });

export const DATE_CASES: readonly ConditionCase[] = [
  ...casesOf('lastSeenAt', [
    ['equals', '2026-02-10', ['nfd', 'sharp-s']],
    ['equals', '2026-02-10T00:00:00Z', ['nfd']],
    ['equals', '2026-02-10T00:00Z', ['nfd']],
    ['equals', '2026-02-10T00:00', ['nfd']],
    ['equals', '2026-02-10T02:00+02:00', ['nfd']],
    ['equals', '2026-02-09T18:30:00-05:30', ['nfd']],
    ['equals', '2026-02-10T00:00:00.000Z', ['nfd']],
    ['equals', '2026-02-10T00:00:00.5Z', NONE],
    ['equals', '2026-02-10T23:59:59.999Z', ['sharp-s']],
    ['equals', '2026-02-10T23:59:59Z', NONE],
    ['equals', '0001-01-01', ['emoji']],
    ['equals', '1970-01-01', ['kelvin']],
    ['equals', '9999-12-31', ['digits']],
    ['equals', '2024-02-29', ['two-lines']],
    ['notEquals', '2026-02-10', allBut('nfd', 'sharp-s')],
    ['notEquals', '2026-02-10T00:00:00Z', allBut('nfd')],
    ['notEquals', '2025-01-01', ALL],

    ['before', '2026-02-10', BEFORE_10_FEBRUARY],
    ['before', '2026-02-10T00:00:00Z', BEFORE_10_FEBRUARY],
    ['before', '2026-02-10T00:00:00.001Z', [...BEFORE_10_FEBRUARY, 'nfd']],
    ['before', '2026-02-10T05:00:00+05:00', BEFORE_10_FEBRUARY],
    ['before', '2026-02-11', [...BEFORE_10_FEBRUARY, 'nfd', 'sharp-s']],
    ['before', '0001-01-01', NONE],
    ['before', '0001-01-02', ['emoji']],
    ['before', '9999-12-31', SEEN.filter((name) => name !== 'digits')],
    ['after', '2026-03-30T12:00:00Z', ['plain', 'shouting', 'letter-x', 'dotted-i', 'digits']],
    ['after', '2026-03-31', ['digits']],
    ['after', '2026-03-31T12:00:00Z', ['dotted-i', 'digits']],
    ['after', '2026-02-10', [...WITHIN_A_MONTH, 'nfc', 'final-sigma']],
    ['after', '2026-02-10T23:59:59.999Z', [...WITHIN_A_MONTH, 'nfc', 'final-sigma']],
    ['after', '9999-12-31', NONE],
    ['after', '0001-01-01', SEEN.filter((name) => name !== 'emoji')],

    ['between', { from: '2026-02-10', to: '2026-02-10' }, ['nfd', 'sharp-s']],
    ['between', { from: '2026-02-10', to: '2026-02-11' }, ['nfd', 'sharp-s', 'final-sigma']],
    ['between', { from: '2026-02-10T00:00:00Z', to: '2026-02-10T23:59:59.999Z' }, ['nfd', 'sharp-s']],
    ['between', { from: '2026-02-10T00:00:00.001Z', to: '2026-02-10' }, ['sharp-s']],
    ['between', { from: '2026-02-09', to: '2026-02-10T00:00:00Z' }, ['capital-sigma', 'nfd']],
    ['between', { from: '2026-02-10T00:00:00Z', to: '2026-02-10T00:00:00Z' }, ['nfd']],
    ['between', { from: '2025-01-01', to: '2025-12-31' }, NONE],
    ['between', { from: '0001-01-01', to: '9999-12-31' }, SEEN],

    ['withinLast', span(1, 'minutes'), [...NOW, 'shouting']],
    ['withinLast', span(1, 'hours'), [...NOW, 'shouting']],
    ['withinLast', span(1, 'days'), WITHIN_A_DAY],
    ['withinLast', span(24, 'hours'), WITHIN_A_DAY],
    ['withinLast', span(1440, 'minutes'), WITHIN_A_DAY],
    ['withinLast', span(0.5, 'days'), [...NOW, 'shouting']],
    ['withinLast', span(0.000_001, 'minutes'), NOW],
    ['withinLast', span(1, 'days'), [...WITHIN_A_DAY, 'underscore'], CONDITION_AT - 1],
    ['withinLast', span(1, 'days'), [...NOW, 'shouting', 'letter-x'], CONDITION_AT + 1],
    ['withinLast', span(1, 'weeks'), [...WITHIN_A_DAY, 'underscore']],
    ['withinLast', span(1, 'months'), WITHIN_A_MONTH],
    ['withinLast', span(1, 'months'), WITHIN_A_MONTH, Date.UTC(2026, 2, 29, 12)],
    ['withinLast', span(1, 'months'), [...WITHIN_A_MONTH, 'nfc'], Date.UTC(2026, 2, 28, 11, 59)],
    ['withinLast', span(25, 'months'), allBut(...NEVER_SEEN, 'kelvin', 'emoji')],
    [
      'withinLast',
      span(25, 'months'),
      allBut(...NEVER_SEEN, 'kelvin', 'emoji', 'two-lines'),
      CONDITION_AT + 1,
    ],
    ['withinLast', span(12, 'months'), allBut(...NEVER_SEEN, 'kelvin', 'emoji'), Date.UTC(2024, 1, 29, 12)],
    ['withinLast', span(1e9, 'months'), SEEN],
    ['withinLast', span(1e300, 'days'), SEEN],
    ['withinLast', span(2025, 'weeks'), allBut(...NEVER_SEEN, 'kelvin', 'emoji')],
    ['notWithinLast', span(1, 'days'), allBut(...WITHIN_A_DAY)],
    ['notWithinLast', span(1, 'months'), allBut(...WITHIN_A_MONTH)],
    ['notWithinLast', span(1e9, 'months'), NEVER_SEEN],

    ['isNull', undefined, NEVER_SEEN],
    ['isNotNull', undefined, SEEN],
  ]),
  ...casesOf('enrolledAt', [
    ['withinLast', span(1, 'weeks'), ['plain', 'percent', 'letter-x', 'dotted-i']],
    ['notWithinLast', span(1, 'weeks'), allBut('plain', 'percent', 'letter-x', 'dotted-i')],
    ['withinLast', span(7, 'days'), ['plain', 'percent', 'letter-x', 'dotted-i']],
    ['equals', '2026-03-24', ['plain', 'shouting', 'percent']],
    ['before', '2026-03-24T12:00:00Z', ['shouting', 'underscore']],
  ]),
  ...casesOf('quarantinedAt', [
    ['isNull', undefined, allBut('underscore')],
    ['equals', '2026-02-10', ['underscore']],
    ['equals', '2026-02-10T08:00:00+00:00', ['underscore']],
    ['equals', '2026-02-10T09:00:00+01:00', ['underscore']],
    ['equals', '2026-02-10T08:00:00-00:00', ['underscore']],
    ['notEquals', '2026-02-10', allBut('underscore')],
    ['before', '2026-02-10', NONE],
    ['after', '2026-02-10', NONE],
  ]),
];
