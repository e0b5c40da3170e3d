/** Schemas of objects with a fixed set of members. */
import * as v from 'valibot';
import { faultless } from './scalar-schemas.ts';
import { IS_REQUIRED, objectFault, unknownMemberFault } from './value-faults.ts';

/** Any JSON object, but no array. */
export const objectOnly = faultless<Readonly<Record<string, unknown>>>(objectFault);

/** An object with these members and no others. */
export function members<const E extends v.ObjectEntries>(entries: E) {
  const known = Object.keys(entries);
  return v.pipe(
    objectOnly,
    v.strictObject(entries, (issue) =>
      issue.expected === 'never' ? unknownMembersFault(issue, known) : IS_REQUIRED,
    ),
  );
}

/** Valibot stops at the first unknown member of an object, so the message names the others. */
function unknownMembersFault(issue: v.StrictObjectIssue, known: readonly string[]): string {
  const present = Object.keys(issue.path?.[0].input ?? {});
  const [first = '', ...others] = present.filter((key) => !known.includes(key));
  const fault = unknownMemberFault(first, known);
  return others.length === 0 ? fault : `${fault} (also unknown: ${others.slice(0, MAX_OTHERS).join(', ')})`;
}

const MAX_OTHERS = 10;
