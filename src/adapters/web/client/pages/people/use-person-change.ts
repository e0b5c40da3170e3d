import { useQueryClient } from '@tanstack/react-query';
import type { Person } from '#adapters/http/api-types.ts';
import { type ApiAnswer, ApiError } from '#console/api/http.ts';
import { changePerson, type PersonChange, personQuery } from '#console/api/people.ts';
import { useApi } from '#console/app/services.ts';

type ChangeThem = (read: ApiAnswer<Person>, change: PersonChange) => Promise<ApiAnswer<Person>>;

/** After a conflict, loads the newer version, so a second try works. Then rethrows the API's error. */
export function usePersonChange(): ChangeThem {
  const api = useApi();
  const queries = useQueryClient();
  return async (read, change) => {
    try {
      return await changePerson(api, read, change);
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) {
        await queries.invalidateQueries({ queryKey: personQuery(api, read.data.id).queryKey });
      }
      throw error;
    }
  };
}
