/** Contract: §14. */

type Sent = Readonly<Record<string, unknown>>;

export function readFiltersSearch({ search }: Sent): { readonly search?: string | undefined } {
  return typeof search === 'string' && search !== '' ? { search } : {};
}

export interface FilterTab {
  readonly tab?: 'text' | 'json' | undefined;
}

export function readFilterTab({ tab }: Sent): FilterTab {
  return tab === 'text' || tab === 'json' ? { tab } : {};
}

interface NewFilterSearch extends FilterTab {
  readonly from?: string;
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
