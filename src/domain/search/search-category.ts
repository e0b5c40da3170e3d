/** What a search looks through, in the order of its answer (Spec: Search; Contract: §6). */

export const SEARCH_CATEGORIES = ['devices', 'scripts', 'alerts', 'settings'] as const;
export type SearchCategory = (typeof SEARCH_CATEGORIES)[number];

/** The categories that are kept by tenant; settings are the same for all, but for who may open them. */
export const STORED_CATEGORIES = ['devices', 'scripts', 'alerts'] as const satisfies SearchCategory[];
export type StoredCategory = (typeof STORED_CATEGORIES)[number];
