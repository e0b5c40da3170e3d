/** Saved filters and custom fields. */
import type { Factories } from './ingredients.ts';

export const FILTER_PARTS: Factories<'filters' | 'customFields'> = {
  filters: async (from) => {
    const { makeFilterUseCases } = await import('#application/filters/filter-use-cases.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    return makeFilterUseCases({ ...backend, ...deps });
  },
  customFields: async (from) => {
    const { makeCustomFieldUseCases } = await import('#application/custom-fields/custom-field-use-cases.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId');
    return makeCustomFieldUseCases({ ...backend, ...deps });
  },
};
