import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { organizationsQuery } from '#console/api/organizations.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Select, SelectItem } from '#console/parts/select.tsx';

const ALL = 'all';

/** Narrows every page to one organization; nothing to choose for those who have one. */
export function OrganizationSwitcher() {
  const { org } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { data: organizations = [] } = useQuery(organizationsQuery(useApi()));
  if (organizations.length < 2) return null;
  return (
    <Select
      aria-label={words.shell.organization}
      value={org ?? ALL}
      onChange={(chosen) =>
        void navigate({
          to: '.',
          search: (search) => ({ ...search, org: chosen === ALL ? undefined : String(chosen) }) as object,
        })
      }
    >
      <SelectItem id={ALL}>{words.shell.allOrganizations}</SelectItem>
      {organizations.map(({ id, name }) => (
        <SelectItem key={id} id={id}>
          {name}
        </SelectItem>
      ))}
    </Select>
  );
}
