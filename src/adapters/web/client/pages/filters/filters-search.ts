/** Contract: §14. */

type Sent = Readonly<Record<string, unknown>>;

export function readFiltersSearch({ search }: Sent): { readonly search?: string | undefined } {
  return typeof search === 'string' && search !== '' ? { search } : {};
}

export interface FilterTab {
  /** Absent: the builder. */
  readonly tab?: 'text' | 'json' | undefined;
}

export function readFilterTab({ tab }: Sent): FilterTab {
  return tab === 'text' || tab === 'json' ? { tab } : {};
}

interface NewFilterSearch extends FilterTab {
  /** The id of the filter to copy. */
  readonly from?: string;
  /** The filter text to start from. */
  readonly q?: string;
}

export function readNewFilterSearch(sent: Sent): NewFilterSearch {
  const { from, q } = sent;
  return {
    ...(typeof from === 'string' && { from }),
    ...(typeof q === 'string' && { q }),
    ...readFilterTab(sent),
  };
}
