/** The categories of a search, in the order of its results (Spec: Search; Contract: §6). */

/** In the order of the results (Contract: §6). */
export const SEARCH_CATEGORIES = ['devices', 'scripts', 'alerts', 'settings'] as const;
export type SearchCategory = (typeof SEARCH_CATEGORIES)[number];

/** The categories stored per tenant. Settings are the same for everyone, apart from who may open them. */
export const STORED_CATEGORIES = ['devices', 'scripts', 'alerts'] as const satisfies SearchCategory[];
export type StoredCategory = (typeof STORED_CATEGORIES)[number];
