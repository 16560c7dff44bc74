# Dialtree as an image: no root user, no shell needed at run time, a root file system that may be read-only. /data is the only place it writes to.
#   docker build -t dialtree .
# docs/docker.md says how to run it; deploy/compose.yml and deploy/compose.cluster.yml do.

FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /build
# The packages first: they change less often than the sources, and stay in the cache.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The package as it is published, installed as a user installs it; then what other platforms need goes.
RUN npm pack --silent --pack-destination /tmp \
 && npm install --prefix /opt/dialtree --omit=dev --ignore-scripts --no-audit --no-fund /tmp/dialtree-*.tgz \
 && cd /opt/dialtree/node_modules \
 && find @photostructure/sqlite/prebuilds -mindepth 1 -maxdepth 1 ! -name "linux-$(node -p process.arch)" -exec rm -rf {} + \
 && rm -rf @photostructure/sqlite/src @photostructure/sqlite/vendored \
 && find . -name '*.map' -not -path './dialtree/*' -delete

FROM docker.io/library/node:24-bookworm-slim
LABEL org.opencontainers.image.title="Dialtree" \
      org.opencontainers.image.description="Self-hosted telephony call-flow service" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/dialtree /opt/dialtree
# Nothing here needs npm. The numbers are those that a volume's owner is compared with. /sound is empty: a volume that nodes share (SOUND_STORE)
# gets its owner from it.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
 && ln -s /opt/dialtree/node_modules/dialtree/bin/dialtree.js /usr/local/bin/dialtree \
 && mkdir -m 0700 /data /sound && chown 10001:10001 /data /sound
ENV NODE_ENV=production \
    DATA_DIR=/data \
    HOST=0.0.0.0 \
    SIP_HOST=0.0.0.0 \
    TTS_COMMAND=off
USER 10001:10001
WORKDIR /data
VOLUME ["/data"]
EXPOSE 8080/tcp 5060/udp 5060/tcp
# Running calls may finish: let the runtime wait longer than DRAIN_SECONDS (30) before it kills.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/dialtree/node_modules/dialtree/bin/dialtree.js"]
CMD ["serve"]
