/**
 * The part of an address behind the `?`. Values are texts as people write them, so that a filter with quotes in it can
 * be typed into the address; whole numbers and `true` and `false` are read as such.
 */
import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router';

export const parseSearch = parseSearchWith(readValue);

export const stringifySearch = stringifySearchWith(JSON.stringify);

function readValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}
