/** What the API answers (Contract: §2, §10). */

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly scope: 'organization' | 'partner' | 'system' | 'none';
  readonly orgId: string | null;
  readonly partnerId: string | null;
  readonly permissions: readonly string[];
  readonly isPlatformAdmin: boolean;
  readonly mfa: { readonly enrolled: boolean; readonly verifiedAt: string | null };
}

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly partnerId: string;
  readonly partnerName: string;
  readonly deviceCount: number;
}

export interface List<T> {
  readonly data: readonly T[];
}

export interface Page<T> extends List<T> {
  readonly nextCursor: string | null;
}
