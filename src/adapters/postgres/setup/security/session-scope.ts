/** A scope as the session variables that row-level security reads (`row-level-security.ts`). */
import type { AccessScope } from '#domain/access/access-scope.ts';

/** Always all of them, so that no value of an earlier transaction remains. */
export function sessionVariables(scope: AccessScope): Readonly<Record<string, string>> {
  switch (scope.kind) {
    case 'organization':
      return { 'app.scope': 'organization', 'app.org_ids': scope.orgId, 'app.partner_id': '' };
    case 'partner':
      return {
        'app.scope': 'partner',
        'app.org_ids': scope.orgIds.join(','),
        'app.partner_id': scope.isWhole ? scope.partnerId : '',
      };
    case 'system':
      return { 'app.scope': 'system', 'app.org_ids': '', 'app.partner_id': '' };
    // The same as no scope: row-level security lets no row pass.
    case 'none':
      return { 'app.scope': '', 'app.org_ids': '', 'app.partner_id': '' };
  }
}
