/** `fleetsift/client`. Depends on openapi-fetch only. */
export * from '#adapters/api-client/client.ts';
