/** Schemas of objects: the members that are known, and a fault for any other. */
import * as v from 'valibot';
import { faultless } from './scalar-schemas.ts';
import { IS_REQUIRED, objectFault, unknownMemberFault } from './value-faults.ts';

/** Any JSON object (an array is none). */
export const objectOnly = faultless<Readonly<Record<string, unknown>>>(objectFault);

/** An object with just these members. */
export function members<const E extends v.ObjectEntries>(entries: E) {
  const known = Object.keys(entries);
  return v.pipe(
    objectOnly,
    v.strictObject(entries, (issue) =>
      issue.expected === 'never' ? unknownMembersFault(issue, known) : IS_REQUIRED,
    ),
  );
}

/** Valibot stops at the first unknown member of an object; the message names the others. */
function unknownMembersFault(issue: v.StrictObjectIssue, known: readonly string[]): string {
  const given = Object.keys(issue.path?.[0].input ?? {});
  const [first = '', ...others] = given.filter((key) => !known.includes(key));
  const fault = unknownMemberFault(first, known);
  return others.length === 0
    ? fault
    : `${fault} (as little known: ${others.slice(0, MAX_OTHERS).join(', ')})`;
}

const MAX_OTHERS = 10;
