import './styles/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { Api } from './api/http.ts';
import { Session } from './api/session.ts';
import { makeRouter } from './app/router.tsx';
import { ServicesProvider } from './app/services.ts';
import { followTheme } from './app/stored-preferences.ts';
import { userQuery } from './app/user.ts';
import { LANGUAGE } from './app/words/shared.ts';
import { isTriedAgain, pauseBeforeRetry } from './parts/feedback/connection.ts';
import { SignInAgain } from './session/sign-in-again.tsx';
import { StepUp } from './session/step-up.tsx';

const session = new Session();
const api = new Api(session);
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: isTriedAgain,
      retryDelay: pauseBeforeRetry,
      // React Query must not pause requests, because they detect a lost connection themselves.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
// The next person at this browser must not see cached data.
session.subscribe(() => {
  if (session.state.kind === 'signed-out') queries.clear();
});
api.onForbidden = () => void queries.invalidateQueries({ queryKey: userQuery(api).queryKey });
const services = { api, session };
const router = makeRouter({ ...services, queries });

followTheme();

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <I18nProvider locale={LANGUAGE}>
      <ServicesProvider value={services}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <StepUp />
          <SignInAgain />
        </QueryClientProvider>
      </ServicesProvider>
    </I18nProvider>
  </StrictMode>,
);
