/** Dates in the reader's zone, with the time in UTC for whoever points at them. */
import { LANGUAGE } from '#console/app/words/language.ts';
import { element } from './element.ts';

const DAY = new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'long', year: 'numeric' });
const MINUTE = new Intl.DateTimeFormat(LANGUAGE, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});
const UTC = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Such as 21 November 2026. */
export function day(iso: string): HTMLElement {
  return instant(iso, DAY);
}

/** Such as 21 December 2026 at 11:04 CET. */
export function minute(iso: string): HTMLElement {
  return instant(iso, MINUTE);
}

function instant(iso: string, format: Intl.DateTimeFormat): HTMLElement {
  const date = new Date(iso);
  return element('time', { datetime: iso, title: `${UTC.format(date)} UTC` }, format.format(date));
}
