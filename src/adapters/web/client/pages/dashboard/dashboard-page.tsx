import { PLACES } from '#adapters/web/places.ts';
import { Page } from '#console/parts/page.tsx';

export function DashboardPage() {
  return <Page title={PLACES[0].title}>{null}</Page>;
}
