import { platforms } from '@flashsheet/contracts/networks'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { availablePlatforms, configWarnings, ConfigError, readConfig } from './config.ts'

const folders = mkdtempSync(path.join(tmpdir(), 'flashsheet-config-'))
afterAll(() => rmSync(folders, { recursive: true }))

const dataDir = () => mkdtempSync(path.join(folders, 'data-'))
const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig({ DATA_DIR: dataDir(), ...env })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('refusals', () => {
  test('reports every problem at once', () => {
    const problems = problemsOf({ PORT: 'abc', ROLE: 'king', DEFAULT_TIME_ZONE: 'Mars/Base', SECRET_KEY: 'short' })
    expect(problems).toHaveLength(4)
    expect(problems.join(' ')).toMatch(/ROLE.*PORT.*DEFAULT_TIME_ZONE.*SECRET_KEY/s)
  })

  test('refuses the sandbox with a public address', () => {
    expect(problemsOf({ PUBLIC_URL: 'https://flashsheet.example', SANDBOX: 'on' })).toHaveLength(1)
  })

  test('requires a database for web and worker, complete keys, and limits without the sandbox', () => {
    expect(problemsOf({ ROLE: 'web' })[0]).toMatch(/DATABASE_URL/)
    expect(problemsOf({ TIKTOK_CLIENT_KEY: 'only half' })[0]).toMatch(/TIKTOK_CLIENT_SECRET is missing/)
    expect(problemsOf({ PUBLIC_URL: 'https://flashsheet.example', RATE_LIMITS: 'off' })[0]).toMatch(/RATE_LIMITS/)
    expect(problemsOf({ PUBLIC_URL: 'https://flashsheet.example', NETWORK_QUOTAS: 'off' })[0]).toMatch(/NETWORK_QUOTAS/)
    expect(problemsOf({ PUBLISH_CONCURRENCY: '0' })[0]).toMatch(/PUBLISH_CONCURRENCY/)
    for (const wrong of ['5', '101%', '1TB', '-1GB', 'all'])
      expect(problemsOf({ DISK_RESERVE: wrong })[0]).toMatch(/DISK_RESERVE/)
    expect(problemsOf({ NODE_ENV: 'production' })[0]).toMatch(/SECRET_KEY/)
  })
})

test.each([
  ['PORT', '99999', '4000'],
  ['PORT', '0', '1'],
  ['SANDBOX_PORT', '65536', '65535'],
  ['PUBLIC_URL', 'http://localhost:3000/app', 'http://localhost:3000/'],
  ['PUBLIC_URL', 'http://user@localhost:3000', 'HTTP://LOCALHOST:3000'],
  ['PUBLIC_URL', 'http://localhost:3000?x', 'http://localhost:80'],
  ['DATABASE_URL', 'localhost:5432/flashsheet', 'postgresql://flashsheet@localhost/flashsheet'],
  ['DATABASE_URL', 'postgres://me:100%sure@localhost/flashsheet', 'postgres://me:100%25sure@localhost/flashsheet'],
  ['S3_ENDPOINT', 'minio:9000', 'http://minio:9000'],
  ['SITES_DOMAIN', 'https://sites.example', 'Sites.Example'],
  ['SITES_DOMAIN', 'sites.example:8080', 'sites.localhost'],
  ['ADMIN_EMAIL', 'sam', 'sam@studio.example'],
  ['SUPPORT_EMAIL', 'help at studio', 'help@studio.example'],
  ['LOG_LEVEL', 'loud', 'debug'],
  ['DEFAULT_TIME_ZONE', '+05:00', 'Asia/Kathmandu'],
  ['TRUSTED_PROXIES', '10.0.0.0/8, proxy', '10.0.0.0/8, ::1'],
  ['TRUSTED_PROXIES', '1', '::ffff:10.0.0.1'],
  ['TRUSTED_PROXIES', '10/8', 'fd00::/8'],
  ['META_GRAPH_VERSION', 'latest', 'v27.0'],
  ['LINKEDIN_VERSION', '2026-09', '202610'],
])('%s refuses "%s" and accepts "%s"', (name, wrong, right) => {
  expect(problemsOf({ [name]: wrong })).toEqual([expect.stringContaining(name)])
  expect(problemsOf({ [name]: right })).toEqual([])
})

test('SMTP_URL must name a host', () => {
  for (const url of ['smtp:', 'smtp://'])
    expect(problemsOf({ SMTP_URL: url, MAIL_FROM: 'a@b.example' })).toEqual([expect.stringMatching(/^SMTP_URL/)])
})

test('normalises the public address', () => {
  expect(
    readConfig({ DATA_DIR: dataDir(), PUBLIC_URL: 'HTTPS://App.Example:443/', SECRET_KEY: 'x'.repeat(32) }).publicUrl,
  ).toBe('https://app.example')
})

test('names an invalid setting with a password without repeating its value', () => {
  expect(problemsOf({ SMTP_URL: 'me:hush@mail.example', MAIL_FROM: 'a@b.example' }).join()).toMatch(
    /^SMTP_URL(?!.*hush)/,
  )
  expect(problemsOf({ DATABASE_URL: 'mysql://me:hush@db.example/x' }).join()).toMatch(/^DATABASE_URL(?!.*hush)/)
})

describe('outside services', () => {
  test('use the sandbox when there are no keys', () => {
    const config = readConfig({ DATA_DIR: dataDir(), SANDBOX_PORT: '4001' })
    expect(config.networks.facebook?.hosts.graph).toBe('http://localhost:4001/graph.facebook.com')
    expect(config.stripe?.base).toBe('http://localhost:4001')
    expect(availablePlatforms(config)).toEqual(platforms)
  })

  test('use the real hosts, or the set ones, when there are keys', () => {
    const config = readConfig({
      DATA_DIR: dataDir(),
      LINKEDIN_CLIENT_ID: 'id',
      LINKEDIN_CLIENT_SECRET: 'secret',
      LINKEDIN_API: 'http://127.0.0.1:9/prefix/',
    })
    expect(config.networks.linkedin?.hosts).toEqual({
      www: 'https://www.linkedin.com',
      api: 'http://127.0.0.1:9/prefix',
    })
  })

  test('are unavailable without keys and without the sandbox', () => {
    const config = readConfig({ DATA_DIR: dataDir(), SANDBOX: 'off' })
    expect(availablePlatforms(config)).toEqual([])
    expect(config.stripe).toBeUndefined()
    expect(config.mail).toBeUndefined()
  })
})

test('reports an unusable DATA_DIR beside the other problems', () => {
  const folder = dataDir()
  const file = path.join(folder, 'taken')
  writeFileSync(file, '')
  expect(problemsOf({ DATA_DIR: file })).toEqual([
    `DATA_DIR must be a folder, but ${file} or a part of its path is a file.`,
  ])
  expect(problemsOf({ DATA_DIR: path.join(file, 'more', 'data') })).toEqual([
    expect.stringMatching(/^DATA_DIR must be a folder, but .*data or a part of its path is a file/),
  ])
  // Not even root may create anything there.
  expect(problemsOf({ DATA_DIR: '/proc/flashsheet', PORT: 'x' })).toEqual([
    expect.stringMatching(/^PORT/),
    expect.stringMatching(/^DATA_DIR must be a folder that can be written to/),
  ])
  expect(problemsOf({ DATA_DIR: path.join(folder, 'new', 'one') })).toEqual([])
  expect(readdirSync(path.join(folder, 'new', 'one'))).toEqual(['secret-key'])
})

test('warns at start when mail cannot be sent', () => {
  const warnings = (env: Record<string, string>) => configWarnings(readConfig({ DATA_DIR: dataDir(), ...env }))
  expect(warnings({})).toEqual([])
  expect(warnings({ SANDBOX: 'off', SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@b.example' })).toEqual([])
  expect(warnings({ SANDBOX: 'off' })).toEqual([expect.stringMatching(/^No mail is sent: SMTP_URL/)])
})

test('requires an old secret key to be long enough and to differ from the current one', () => {
  const [now, before] = ['n'.repeat(32), 'b'.repeat(32)]
  expect(problemsOf({ SECRET_KEY: now, SECRET_KEY_OLD: 'short' })).toEqual([
    expect.stringMatching(/^SECRET_KEY_OLD must have at least 32/),
  ])
  expect(problemsOf({ SECRET_KEY_OLD: before })).toEqual([expect.stringMatching(/^SECRET_KEY is missing/)])
  expect(problemsOf({ SECRET_KEY: now, SECRET_KEY_OLD: now })).toEqual([
    expect.stringMatching(/the same as SECRET_KEY/),
  ])
  const config = readConfig({ DATA_DIR: dataDir(), SECRET_KEY: now, SECRET_KEY_OLD: before })
  expect([config.secretKey, config.secretKeyOld]).toEqual([Buffer.from(now), Buffer.from(before)])
})

test('creates the secret key once', () => {
  const folder = dataDir()
  const first = readConfig({ DATA_DIR: folder })
  expect(readConfig({ DATA_DIR: folder }).secretKey).toEqual(first.secretKey)
  expect(readConfig({ DATA_DIR: dataDir() }).secretKey).not.toEqual(first.secretKey)
})
