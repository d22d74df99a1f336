FROM node:22-bookworm-slim AS build
WORKDIR /app
# better-sqlite3 is compiled where there is no binary of it for the platform.
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts && npm rebuild better-sqlite3
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
  DOCMIRROR_DATA_DIR=/data \
  DOCMIRROR_STATUS_HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY config ./config
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8780
# Alive, not fresh: an old snapshot is no reason to restart. Ask /readyz for freshness.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8780/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["daemon"]
