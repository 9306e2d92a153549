# One image for every role: ROLE=web and ROLE=worker run the same code (docs/operating.md).
# The same Node version as in package.json. A tag can be moved: for your own builds, append the digest that you trust.
FROM node:24.21.0-bookworm-slim

WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data

COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.mjs ./
COPY patches patches
COPY api/package.json api/
COPY db/package.json db/
COPY web/package.json web/
COPY packages/api-client/package.json packages/api-client/
COPY packages/cli/package.json packages/cli/
COPY packages/contracts/package.json packages/contracts/
COPY packages/sandbox/package.json packages/sandbox/
# The packages that serving and building the web app need, without those for tests and lint.
RUN npx -y pnpm@12.21.0 install --prod --frozen-lockfile

COPY . .
RUN node scripts/build-web.ts && mkdir -p /data && chown node:node /data

USER node
VOLUME /data
EXPOSE 3000
# Restarts a process that ended with an error, after growing pauses (docs/operating.md).
CMD ["node", "scripts/supervise.mjs", "--import", "./db/drizzle-resolve-hook.ts", "api/main.ts"]
