/** What the first start prints (Contract: §9). */

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

export function welcome(
  { counts, signIns, apiKey }: DemoGreeting,
  url: string,
  currentCode: (totpSecret: string) => string,
): string {
  const people = signIns.map(
    ({ title, email, password, totpSecret }) =>
      `  ${title}\n    email ${email}   password ${password}   TOTP secret ${totpSecret}`,
  );
  return `
A demo fleet is loaded: ${counts.partners} partners, ${counts.organizations} organizations, ${counts.devices.toLocaleString('en')} devices.

Administrators of the demo (shown only once):
${people.join('\n')}

An API key to try it with (shown only once):
  ${apiKey}

Which Windows machines are low on disk?

  curl -s ${url}/api/v1/filters/preview -H 'X-API-Key: ${apiKey}' -H 'Content-Type: application/json' -d '{
    "conditions": {"operator": "AND", "conditions": [
      {"field": "osType", "operator": "equals", "value": "windows"},
      {"field": "metrics.diskPercent", "operator": "greaterThan", "value": 90}]}}'
${signIns
  .slice(0, 1)
  .map((first) => howToSignIn(first, url, currentCode))
  .join('')}`;
}

function howToSignIn(
  { email, password, totpSecret }: DemoGreeting['signIns'][number],
  url: string,
  currentCode: (totpSecret: string) => string,
): string {
  return `
Sign in as the first administrator (the code works once, within half a minute; get the next one from an authenticator
app):

  curl -s ${url}/api/v1/auth/login -H 'Content-Type: application/json' -d '{
    "email": "${email}", "password": "${password}", "code": "${currentCode(totpSecret)}"}'
`;
}
