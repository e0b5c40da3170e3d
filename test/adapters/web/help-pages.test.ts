/** The help has a page for every place, about that place. */
import { describe, expect, test } from 'vitest';
import { PLACES } from '#adapters/web/places.ts';
import { helpFor } from '#console/help/help-pages.ts';

const ID = '019a0000-0000-7000-8000-00000000abcd';

/** The page for account deletion has its help in its text. */
const SHOWN = PLACES.map(({ path }) => path.replace(':id', ID)).filter((path) => path !== '/account/delete');

describe('the help', () => {
  test.each(SHOWN)('has a page for %s', (path) => {
    expect(helpFor(path).title).not.toBe(helpFor('/nowhere').title);
    expect(helpFor(path).paragraphs.join(' ').length).toBeGreaterThan(60);
  });

  test('has different pages for all places, except for a new and a saved filter', () => {
    const titles = SHOWN.filter((path) => path !== '/filters/new').map((path) => helpFor(path).title);
    expect(new Set(titles).size).toBe(titles.length);
  });
});
