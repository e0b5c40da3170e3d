import { words } from '#console/app/words.ts';
import { Badge } from '#console/parts/display/badge.tsx';
import type { PersonStatus } from '#domain/access/person.ts';

const LOOKS = {
  invited: { tone: 'amber', mark: '◌' },
  active: { tone: 'green', mark: '●' },
  disabled: { mark: '⊘' },
} as const satisfies Record<PersonStatus, object>;

export function PersonStatusBadge({ status }: { readonly status: PersonStatus }) {
  return <Badge {...LOOKS[status]}>{words.people.statuses[status]}</Badge>;
}
