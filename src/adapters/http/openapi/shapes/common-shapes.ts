/** What many answers are made of (Contract: §1). */
import * as v from 'valibot';
import { MAX_NAME_LENGTH } from '#application/name-input.ts';
import type { WholeNumbers } from '#application/whole-number.ts';

export const ID = v.pipe(v.string(), v.uuid());

/** ISO 8601 in UTC, with milliseconds. */
export const INSTANT = v.pipe(v.string(), v.isoTimestamp());

/** A name that people give to something. */
export const NAME = v.pipe(v.string(), v.description(lengthOfName(MAX_NAME_LENGTH)));

export const COUNT = v.pipe(v.number(), v.integer(), v.minValue(0));

export const CURSOR = v.pipe(
  v.nullable(v.string()),
  v.description('Where the next page begins, to be sent as `cursor`; null on the last page.'),
);

/** Ids as examples have them. */
export const EXAMPLE_ID = {
  filter: '01a20146-3761-70a3-8118-b63b5b8966e9',
  device: '01942378-33a8-71ac-ab2c-b80ea760f94d',
  organization: '0195017c-5566-7712-90a2-25d514c6c998',
  partner: '01950100-7d1e-7a52-8f1d-90c11b2e6a01',
  site: '01950101-2b3c-7d4e-8f60-718293a4b5c6',
  user: '0194ec09-b0b9-799d-bc48-87e37daaeb58',
  other: '01a20149-b9d2-754b-9512-a2c1187d8ce9',
} as const;

export const EXAMPLE_INSTANT = '2026-02-10T08:00:00.000Z';

/** One of these whole numbers. */
export function wholeNumber({ min, max }: WholeNumbers) {
  return v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));
}

/** In words: `maxLength` would refuse what is trimmed to a name that is taken. */
export function lengthOfName(max: number): string {
  return `1 to ${max} characters after trimming.`;
}
