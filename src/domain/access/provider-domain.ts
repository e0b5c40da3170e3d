/** Email domains decide which new people a provider may create (Contract: §16). */
import type { IdentityProviderId } from '#domain/ids.ts';
import type { IdTokenFacts } from './id-token.ts';
import type { ProviderSettings } from './identity-provider.ts';

export type ProvisionRefusal = 'not-provisioned' | 'no-email' | 'email-not-verified' | 'domain-not-verified';

/** Null if the provider may create the person. The store checks that the email is free. */
export function refuseProvision(
  { provisions, domains }: Pick<ProviderSettings, 'provisions' | 'domains'>,
  { email, isEmailVerified }: IdTokenFacts,
): ProvisionRefusal | null {
  if (!provisions) return 'not-provisioned';
  if (email === null) return 'no-email';
  if (!isEmailVerified) return 'email-not-verified';
  const domain = domainOf(email);
  const isOurs = domains.some((each) => each.isVerified && each.domain === domain);
  return isOurs ? null : 'domain-not-verified';
}

/** The domain in the form of `parseDomain`; null if the email has none. */
export function domainOf(email: string): string | null {
  const at = email.lastIndexOf('@');
  return at < 1 ? null : parseDomain(email.slice(at + 1));
}

/** In lower case and Punycode. Null for other texts, such as an IP address or a name without a dot. */
export function parseDomain(text: string): string | null {
  // `URL` would read these characters as syntax.
  if (/[\s/?#@:%\\[\]]/.test(text)) return null;
  const host = URL.parse(`https://${text.replace(/\.$/, '')}`)?.hostname ?? '';
  const labels = host.split('.');
  const isName = labels.length > 1 && host.length <= 253 && labels.every((label) => LABEL.test(label));
  // A last label of only digits would make the host an IPv4 address.
  return isName && !/^\d+$/.test(labels.at(-1) ?? '') ? host : null;
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The TXT record that verifies a domain. Its value has the provider's id, so it verifies nothing for another provider.
 */
export function verificationRecord(
  providerId: IdentityProviderId,
  domain: string,
): { readonly name: string; readonly value: string } {
  return { name: `_fleetsift.${domain}`, value: `fleetsift-verification=${providerId}` };
}
