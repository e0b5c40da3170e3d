import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Api } from '#console/api/http.ts';
import type { Session, SessionState } from '#console/api/session.ts';

export interface Services {
  readonly api: Api;
  readonly session: Session;
}

const ServicesContext = createContext<Services | null>(null);

export const ServicesProvider = ServicesContext.Provider;

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('used outside of ServicesProvider');
  return services;
}

export function useApi(): Api {
  return useServices().api;
}

export function useSessionState(): SessionState {
  const { session } = useServices();
  return useSyncExternalStore(session.subscribe, () => session.state);
}
