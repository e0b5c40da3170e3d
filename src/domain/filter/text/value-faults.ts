/** Faults of values that say how the value is written instead. */
import { quote } from './print/quote-text.ts';
import type { Place, ReportFault } from './text-fault.ts';

/** A `*` at both ends, a `*` with nothing beside it, or one in a value without a key. */
export type StarFault = 'both' | 'alone' | 'bare';

const STAR_MESSAGES: Readonly<Record<StarFault, string>> = {
  both: '"*" can stand at one end only; without "*" the text may be anywhere in the value',
  alone: '"*" needs a text next to it; use any to ask for any value',
  bare: 'a value without a key is found anywhere in a name and takes no "*"; leave it out, name a field as in host:web*, or quote the text',
};

export function reportStars(place: Place, written: string, why: StarFault, report: ReportFault): void {
  const inner = written.replace(/^\*|\*$/g, '');
  const suggestions = { both: [inner], alone: ['any'], bare: [inner, `host:${written}`, quote(written)] }[
    why
  ];
  report(
    place,
    'invalid_value',
    STAR_MESSAGES[why],
    suggestions.filter((text) => text !== ''),
  );
}

export function reportMissing(place: Place, isInList: boolean, report: ReportFault): void {
  const what = isInList ? 'a value is missing in the list' : 'the value is missing';
  report(place, 'value_required', `${what}; write "" for the empty text`);
}

export function reportGroupAsValue(place: Place, report: ReportFault): void {
  const message = 'a value cannot be a group; put the key inside the parentheses: (os:windows OR os:linux)';
  report(place, 'unexpected_character', message);
}
