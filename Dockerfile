# One image for every role: ROLE=web and ROLE=worker run the same code (docs/operating.md).
FROM node:24-bookworm-slim

WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data

COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY patches patches
COPY api/package.json api/
COPY db/package.json db/
COPY web/package.json web/
COPY packages/contracts/package.json packages/contracts/
COPY packages/sandbox/package.json packages/sandbox/
# Development packages are needed once, to build the web app.
RUN NODE_ENV=development npx -y pnpm@12 install --frozen-lockfile

COPY . .
RUN node scripts/build-web.ts && mkdir -p /data && chown node:node /data

USER node
VOLUME /data
EXPOSE 3000
CMD ["node", "--import", "./db/quick-imports.ts", "api/main.ts"]
