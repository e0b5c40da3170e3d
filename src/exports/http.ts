/** `fleetsift/http`: the API as an application, and a server for it. */
export { createApp, type HttpDeps } from '#adapters/http/app.ts';
export type { ConnectionLimits } from '#adapters/http/connections/limit-connections.ts';
export type { RequestFact, TraceRequest } from '#adapters/http/observe-requests.ts';
export type { FindPages, Pages } from '#adapters/http/pages.ts';
export {
  type ClientLimits,
  getRequestListener,
  type RunningServer,
  type Servable,
  type ServeOptions,
  serveApp,
} from '#adapters/http/serve.ts';
