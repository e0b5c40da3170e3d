/** `fleetsift/client`: the API with its types, for Node 20 and browsers. Depends on openapi-fetch only. */
export * from '#adapters/api-client/client.ts';
