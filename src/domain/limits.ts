/** Limits that more than one part of the service keeps. */

/** A refusal names every fault found, but never more than this (Contract: §1). */
export const MAX_FAULTS = 100;
