/** What the first start tells: what was loaded, who may sign in, and a line to try (Contract: §9). */

/** What there is to be told of a demo fleet. */
export interface DemoGreeting {
  readonly counts: { readonly partners: number; readonly organizations: number; readonly devices: number };
  readonly signIns: readonly {
    readonly title: string;
    readonly email: string;
    readonly password: string;
    readonly totpSecret: string;
  }[];
  readonly apiKey: string;
}

/** Text for a terminal; the secrets in it are shown this once. `url` has no slash at its end. */
export function welcome({ counts, signIns, apiKey }: DemoGreeting, url: string): string {
  const people = signIns.map(
    ({ title, email, password, totpSecret }) =>
      `  ${title}\n    email ${email}   password ${password}   TOTP secret ${totpSecret}`,
  );
  return `
A demo fleet is loaded: ${counts.partners} partners, ${counts.organizations} organizations, ${counts.devices.toLocaleString('en')} devices.

Administrators of the demo (shown this once):
${people.join('\n')}

An API key to try it with (shown this once):
  ${apiKey}

Which Windows machines are low on disk?

  curl -s ${url}/api/v1/filters/preview -H 'X-API-Key: ${apiKey}' -H 'Content-Type: application/json' -d '{
    "conditions": {"operator": "AND", "conditions": [
      {"field": "osType", "operator": "equals", "value": "windows"},
      {"field": "metrics.diskPercent", "operator": "greaterThan", "value": 90}]}}'
`;
}
