/** `fleetsift/client`: the client of the API. It depends only on openapi-fetch. */
export * from '#adapters/api-client/client.ts';
