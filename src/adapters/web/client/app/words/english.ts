export { administrationWords as administration } from './administration.ts';
export { bulkWords as bulk } from './bulk.ts';
export { dashboardWords as dashboard } from './dashboard.ts';
export { devicePageWords as devicePage } from './device-page.ts';
export { deviceWords as devices } from './devices.ts';
export { enrolmentWords as enrolment } from './enrolment.ts';
export { filterWords as filters } from './filters.ts';
export { identityProviderWords as identityProviders } from './identity-providers.ts';
export { linkWords as links } from './links.ts';
export { listWords as lists } from './lists.ts';
export { liveWords as live } from './live.ts';
export { organizationWords as organization } from './organization.ts';
export { paletteWords as palette } from './palette.ts';
export { peopleWords as people } from './people.ts';
export { providerProblemWords as providerProblems } from './provider-problems.ts';
export { settingsWords as settings } from './settings.ts';
export * from './shared.ts';
export {
  helpWords as help,
  hostPageWords as hostPages,
  keysWords as keys,
  shellWords as shell,
} from './shell.ts';
export { signInWords as signIn } from './sign-in.ts';
