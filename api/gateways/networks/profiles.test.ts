import type { Platform } from '@flashsheet/contracts/networks'
import { expect, test } from 'vitest'
import { bareAdapters } from '../../testing/bare-adapters.ts'
import type { PageProfile, Tokens } from './adapter.ts'

const tokens: Tokens = {
  accessToken: 'token',
  refreshToken: null,
  accessExpiresAt: null,
  refreshExpiresAt: null,
  scopes: 'user.info.basic,user.info.profile,video.publish',
}

/** The profiles that an adapter reads from a network's response, and the addresses that it requested. */
async function profilesFrom(platform: Platform, body: unknown, scopes = tokens.scopes) {
  const asked: string[] = []
  const { connect } = bareAdapters(async (url) => {
    asked.push(decodeURIComponent(url.href))
    return await Promise.resolve(Response.json(body))
  })[platform]
  const profiles: PageProfile[] = await connect.profiles({
    tokens: { ...tokens, scopes },
    pages: [{ pageId: '1', accessToken: 'page' }],
  })
  return { profiles, asked }
}

const picture = 'https://cdn.example/p.jpg'

test.each([
  [
    'facebook',
    { id: '1', name: 'Black Quill', username: 'blackquill', picture: { data: { url: picture, is_silhouette: false } } },
    { pageId: '1', name: 'Black Quill', username: 'blackquill', picture },
  ],
  [
    'instagram',
    { id: '9', user_id: '1', username: 'blackquill', name: 'Black Quill', profile_picture_url: picture },
    { pageId: '1', name: 'Black Quill', username: 'blackquill', picture },
  ],
  [
    'tiktok',
    { data: { user: { open_id: '1', display_name: 'Black Quill', username: 'blackquill', avatar_url: picture } } },
    { pageId: '1', name: 'Black Quill', username: 'blackquill', picture },
  ],
  [
    'youtube',
    {
      items: [
        { id: '1', snippet: { title: 'Black Quill', customUrl: '@bq', thumbnails: { default: { url: picture } } } },
      ],
    },
    { pageId: '1', name: 'Black Quill', username: '@bq', picture },
  ],
  [
    'linkedin',
    {
      results: {
        1: { localizedName: 'Black Quill', vanityName: 'bq', logoV2: { cropped: 'urn:li:digitalmediaAsset:C4D0' } },
      },
    },
    { pageId: '1', name: 'Black Quill', username: 'bq', picture: 'urn:li:image:C4D0' },
  ],
] as const)('reads name, handle and picture from %s', async (platform, body, profile) => {
  expect((await profilesFrom(platform, body)).profiles).toEqual([profile])
})

test.each([
  ['facebook', { id: '1', name: 'Black Quill' }, { name: 'Black Quill' }],
  ['instagram', { id: '9', user_id: '1', username: 'blackquill' }, { name: 'blackquill', username: 'blackquill' }],
  ['tiktok', { data: { user: { open_id: '1', display_name: 'Black Quill' } } }, { name: 'Black Quill' }],
  ['youtube', { items: [{ id: '1', snippet: { title: 'Black Quill' } }] }, { name: 'Black Quill' }],
  ['linkedin', { results: { 1: { localizedName: 'Black Quill' } } }, { name: 'Black Quill' }],
] as const)('reads a profile from %s without picture and handle', async (platform, body, rest) => {
  expect((await profilesFrom(platform, body)).profiles).toEqual([
    { pageId: '1', username: null, picture: null, ...rest },
  ])
})

test("ignores Facebook's silhouette", async () => {
  const body = { id: '1', name: 'Black Quill', picture: { data: { url: picture, is_silhouette: true } } }
  expect((await profilesFrom('facebook', body)).profiles).toMatchObject([{ picture: null }])
})

test("requests TikTok's username only with its scope", async () => {
  const body = { data: { user: { open_id: '1', display_name: 'Black Quill', avatar_url: picture } } }
  const bare = await profilesFrom('tiktok', body, 'user.info.basic,video.publish')
  expect(bare.asked).toEqual([expect.stringMatching(/fields=open_id,display_name,avatar_url$/)])
  expect((await profilesFrom('tiktok', body)).asked).toEqual([expect.stringMatching(/,username$/)])
})

test("reads the address of a logo from LinkedIn's images API, if there is one", async () => {
  const answers = [{ downloadUrl: picture, status: 'AVAILABLE' }, { status: 'AVAILABLE' }]
  const asked: string[] = []
  const { pictureAddress } = bareAdapters(async (url) => {
    asked.push(url.pathname)
    return await Promise.resolve(Response.json(answers.shift()))
  }).linkedin.connect
  expect(await pictureAddress?.(tokens, 'urn:li:image:C4D0')).toBe(picture)
  expect(await pictureAddress?.(tokens, 'urn:li:image:C4D0')).toBeNull()
  expect(asked[0]).toBe('/rest/images/urn%3Ali%3Aimage%3AC4D0')
})
