import { describe, expect, test } from 'vitest'
import { uploadPictures } from '../api/testing/posting.ts'
import { mediaMessages } from '../packages/contracts/media/messages.ts'
import { postMessages } from '../packages/contracts/posts/messages.ts'
import { socialMessages } from '../packages/contracts/social/messages.ts'
import { liftByKey, untilRetriesExhausted } from './browser.ts'
import {
  artist,
  button,
  connectAll,
  videoFile,
  heading,
  next,
  page,
  pick,
  picture,
  posts,
  reachCaption,
  useWizard,
} from './wizard-fixture.ts'

useWizard()

describe('media', () => {
  test('Next is disabled until media are picked; another card or tab starts a new selection', async () => {
    await page.goto('/new-post')
    expect(await button('Next').isDisabled()).toBe(true)
    await page.getByText(postMessages.mediaRequired).waitFor()
    await pick('Multiple Images', [await picture('a.jpg'), await picture('b.jpg')])
    const rows = page.getByRole('grid', { name: /Picked media/ }).getByRole('row')
    await expect.poll(async () => await rows.count()).toBe(2)
    await expect.poll(async () => await button('Next').isDisabled()).toBe(false)
    // The refused file is named, and the files after it can be added.
    await pick('Multiple Images', [
      await picture('c.jpg'),
      { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') },
      await picture('d.jpg'),
      await picture('e.jpg'),
    ])
    await page.getByRole('alert').getByText(mediaMessages.unsupported).waitFor()
    await page.getByRole('alert').getByText('notes.pdf was not added, nor were the 2 files after it.').waitFor()
    await expect.poll(async () => await rows.count()).toBe(3)
    await button('Add the other 2').click()
    await expect.poll(async () => await rows.count()).toBe(5)
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await pick('Single Image', videoFile)
    await page.getByRole('alert').getByText(mediaMessages.imageType).waitFor()
    await expect.poll(async () => await rows.count()).toBe(0)
    await pick('Single Image', await picture('c.jpg'))
    await expect.poll(async () => await rows.count()).toBe(1)
    await page.getByRole('tab', { name: 'Media Library' }).click()
    await page.getByRole('tab', { name: 'Upload' }).click()
    await page.getByText(postMessages.mediaRequired).waitFor()
    await expect.poll(async () => await rows.count()).toBe(0)
  })

  test('an eleventh picture is refused, and pictures are reordered by keyboard', async () => {
    await page.goto('/new-post')
    await pick(
      'Multiple Images',
      await Promise.all(Array.from({ length: 11 }, async (_, n) => await picture(`${n}.jpg`))),
    )
    await page.getByRole('alert').getByText(postMessages.tooManyImages).waitFor()
    await page.getByRole('alert').getByText('10.jpg was not added.').waitFor()
    const rows = page.getByRole('grid', { name: /Picked media/ }).getByRole('row')
    await expect.poll(async () => await rows.count()).toBe(10)
    await liftByKey(page, rows.first().getByRole('button').first())
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await expect
      .poll(async () => (await rows.allInnerTexts()).map((text) => text.split('\n')[0]).slice(0, 3))
      .toEqual(['1.jpg', '2.jpg', '0.jpg'])
  })
})

test('the picture stays visible while its caption is written: above it on a phone, beside it on a desktop', async () => {
  await connectAll('facebook')
  // Low enough to scroll to the caption.
  await page.setViewportSize({ width: 390, height: 480 })
  await reachCaption()
  const shown = page.getByRole('list', { name: 'What you are posting' }).getByRole('img').first()
  const caption = page.getByRole('textbox', { name: 'Caption' })
  await caption.fill('Line upon line.\n'.repeat(12))
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect.poll(async () => await page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
  const place = async () => (await shown.boundingBox()) ?? expect.fail('there is no picture')
  await expect
    .poll(async () => {
      const { y } = await place()
      return y > 60 && y < 140
    })
    .toBe(true)

  await page.setViewportSize({ width: 1440, height: 900 })
  await expect
    .poll(async () => {
      const words = await caption.boundingBox()
      return words !== null && (await place()).x >= words.x + words.width
    })
    .toBe(true)
  await expect.poll(async () => (await place()).width).toBeGreaterThan(250)
})

describe('pages', () => {
  test('without connected pages the step links to Social Accounts, and keeps the pictures', async () => {
    await page.goto('/new-post')
    await pick('Single Image', await picture('kept.jpg'))
    await next()
    await page.getByText(socialMessages.wizardNoneConnected).waitFor()
    await page.getByRole('link', { name: 'Connect accounts' }).click()
    await page.waitForURL('**/social-accounts')
    await page.goBack()
    await button('Back').click()
    await page.getByText('kept.jpg').waitFor()
  })

  test('after an account is connected, a link leads back to the waiting post at its step', async () => {
    await uploadPictures(artist)
    await page.goto('/new-post')
    await page.getByRole('tab', { name: 'Media Library' }).click()
    await page.getByRole('grid', { name: 'Media library' }).getByRole('row').first().click()
    await next()
    await page.getByRole('link', { name: 'Connect accounts' }).click()
    await button('Connect Facebook').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click()
    await button('Approve').click()
    await page.getByText('Your unfinished post is still there.').waitFor()
    await page.getByRole('link', { name: 'Back to your post' }).click()
    await heading('Select Social Accounts').waitFor()
    await page.getByRole('group', { name: 'Facebook' }).waitFor()
  })

  test('shows that the accounts are loading, and offers a retry when that fails', async () => {
    const accounts = /\/trpc\/[^?]*\bsocial\.accounts/
    let refuse = () => {}
    const held = new Promise<void>((resolve) => (refuse = resolve))
    await page.clock.install()
    await page.route(accounts, async (route) => {
      await held
      await route.abort()
    })
    await page.goto('/new-post')
    await pick('Single Image', await picture('kept.jpg'))
    await next()
    await page.getByRole('paragraph').filter({ hasText: socialMessages.wizardLoading }).waitFor()
    refuse()
    await untilRetriesExhausted(page, page.getByRole('alert').getByText(socialMessages.wizardLoadFailed))
    await page.unroute(accounts)
    await button('Try again').click()
    await page.getByText(socialMessages.wizardNoneConnected).waitFor()
  })

  test('pictures disable TikTok and YouTube, with the reason', async () => {
    await connectAll('facebook', 'tiktok', 'youtube')
    await page.goto('/new-post')
    await pick('Single Image', await picture('a.jpg'))
    await next()
    await heading('Select Social Accounts').waitFor()
    await expect.poll(async () => await page.getByText(socialMessages.videoOnly).count()).toBe(2)
    expect(await page.getByRole('group', { name: 'TikTok' }).getByRole('checkbox').isDisabled()).toBe(true)
    expect(await button('Next').isDisabled()).toBe(true)
  })
})

test('TikTok gets only what the artist chose; only YouTube has its own title', async () => {
  await connectAll('facebook', 'tiktok', 'youtube')
  await page.goto('/new-post')
  await pick('Video', videoFile)
  await next()
  await button('Select all').click()
  await next()
  await page.getByText('Posting as').waitFor()
  await page.getByRole('textbox', { name: 'Title' }).fill('Koi')
  await page.getByRole('textbox', { name: 'Caption' }).fill('Upstream #koi')
  await page.getByText('Individual', { exact: true }).click()
  await expect.poll(async () => await page.getByRole('textbox', { name: 'Title' }).count()).toBe(1)
  const captions = page.getByRole('textbox', { name: 'Caption' })
  await expect
    .poll(
      async () => await captions.evaluateAll((fields) => fields.map((field) => (field as HTMLTextAreaElement).value)),
    )
    .toEqual(Array(4).fill('Upstream #koi'))
  await captions.first().fill('Only here')

  expect(await button('Next').isDisabled()).toBe(true)
  for (const name of ['Comment', 'Duet', 'Stitch'])
    expect(await page.getByRole('checkbox', { name }).isChecked()).toBe(false)
  // The reason is a link to its field.
  const focused = page.locator(':focus')
  await button(postMessages.privacyRequired).click()
  await expect.poll(async () => await focused.innerText()).toContain('Choose who can see it')
  await page.getByText('Disclose commercial content').click()
  await page.getByText('You need to indicate').waitFor()
  await page.getByText('Branded content', { exact: true }).click()
  await page.getByText('Your video will be labeled "Paid partnership"').waitFor()
  await page.getByText('Branded Content Policy').waitFor()
  await button(/Choose who can see it/).click()
  expect(await page.getByRole('option', { name: /Only me/ }).getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('option', { name: 'Everyone' }).click()
  await page.getByText('Branded content', { exact: true }).click()
  await button(/^You need to indicate/).click()
  await expect
    .poll(async () => await focused.evaluate((field) => field.closest('label')?.textContent))
    .toMatch(/Your brand/)
  await page.getByText('Branded content', { exact: true }).click()
  await next()
  await heading('Ready to Post').waitFor()

  // A choice that TikTok no longer offers is reported at the last step, with a link. Waits until the draft is saved, to change it below.
  await page.waitForFunction((id) => {
    const { step, media } = JSON.parse(localStorage.getItem(`draft:${id}`) ?? '{}') as {
      step: number
      media: { mediaId: string | null }[]
    }
    return step === 4 && media.every(({ mediaId }) => mediaId !== null)
  }, artist.id)
  await page.goto('/robots.txt')
  await page.evaluate((id) => {
    const draft = JSON.parse(localStorage.getItem(`draft:${id}`) ?? '{}') as {
      tiktok: Record<string, { privacyLevel: string | null }>
    }
    for (const choice of Object.values(draft.tiktok)) choice.privacyLevel = null
    localStorage.setItem(`draft:${id}`, JSON.stringify(draft))
  }, artist.id)
  await page.goto('/new-post')
  await page.getByRole('alert').or(page.getByRole('status')).getByText(postMessages.privacyRequired).waitFor()
  await button('Go to step 3').click()
  await expect.poll(async () => await focused.innerText()).toContain('Choose who can see it')
  await expect.poll(async () => await focused.evaluate((field) => field.getBoundingClientRect().top)).toBeGreaterThan(0)
  await focused.click()
  await page.getByRole('option', { name: 'Everyone' }).click()
  await next()
  await button('Post Now').click()
  await page.getByText(postMessages.postedAll(4)).first().waitFor()

  const [post] = await posts()
  expect(post?.variants.find((variant) => variant.platform === 'tiktok')).toMatchObject({
    message: 'Upstream #koi',
    options: {
      tiktok: {
        privacyLevel: 'PUBLIC_TO_EVERYONE',
        allowComment: false,
        allowDuet: false,
        allowStitch: false,
        yourBrand: false,
        brandedContent: true,
      },
    },
  })
  expect(post?.variants.map((variant) => variant.message)).toContain('Only here')
})
