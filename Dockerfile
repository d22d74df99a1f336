FROM node:22-bookworm-slim AS build
WORKDIR /app
# Not 24: what is compiled with the headers of 24.19 to 24.21 ends the process (native/rebuild.mjs says why).
# better-sqlite3 is compiled where there is no binary of it for the platform; tini goes into the image.
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ tini \
  && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts && npm rebuild better-sqlite3
COPY tsconfig.json build.mjs ./
COPY src ./src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
# Others reach a container by its address: until DOCMIRROR_STATUS_TOKEN_FILE is set, only health, readiness and metrics answer.
ENV NODE_ENV=production \
  TZ=UTC \
  DOCMIRROR_DATA_DIR=/data \
  DOCMIRROR_STATUS_HOST=0.0.0.0 \
  DOCMIRROR_STATUS_OPEN_PROBES=true
WORKDIR /app
COPY --from=build /usr/bin/tini-static /usr/bin/tini
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY config ./config
# The name by which every hint calls a command: docker exec docmirror docmirror status. npx needs a home that can be written.
RUN ln -s /app/dist/main.js /usr/local/bin/docmirror \
  && mkdir -m 700 /data \
  && chown node:node /data
USER node
VOLUME /data
EXPOSE 8780
# Fresh and proven, not only alive: unhealthy is to be seen by people, and is no reason to restart. The first walk and the first drill
# of a large organization take their time.
HEALTHCHECK --interval=5m --timeout=10s --start-period=12h \
  CMD ["node", "dist/main.js", "probe"]
# What is process 1 is sent no signal that it does not handle: a SIGTERM while Node.js begins, or while SQLite computes, would be lost.
ENTRYPOINT ["tini", "--", "node", "dist/main.js"]
CMD ["daemon"]
