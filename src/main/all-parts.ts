/**
 * The table of all factories, joined from those of each area. Tokens and results of `compose` are derived from it.
 */
import type { Parts } from './composition.ts';
import { DELETION_PARTS } from './deletion-parts.ts';
import { DEVICE_PARTS } from './device-parts.ts';
import { FILTER_PARTS } from './filter-parts.ts';
import { FOUNDATION_PARTS } from './foundation-parts.ts';
import { IDENTITY_PARTS } from './identity-parts.ts';
import type { Factories, Ingredients } from './ingredients.ts';
import { REPORT_PARTS } from './report-parts.ts';
import { STORAGE_PARTS } from './storage-parts.ts';

const { storage, ...BACKEND } = STORAGE_PARTS;
const { argon2, ...FOUNDATION } = FOUNDATION_PARTS;

/** The parts of a composition, which an embedder may replace. */
export const PARTS: Factories<keyof Parts> = {
  ...FOUNDATION,
  ...BACKEND,
  ...IDENTITY_PARTS,
  ...FILTER_PARTS,
  ...DEVICE_PARTS,
  ...REPORT_PARTS,
  ...DELETION_PARTS,
};

export const INGREDIENTS: Factories<keyof Ingredients> = { ...PARTS, storage, argon2 };
