import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import { sitePalettes } from '@flashsheet/contracts/site-design'
import type { SiteSection } from '@flashsheet/contracts/website/limits'
import { siteMessages } from '@flashsheet/contracts/website/messages'
import type { Site } from '@flashsheet/contracts/website/schema'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent, type Locator } from 'vitest/browser'
import type { RouterInputs } from '../../lib/trpc.ts'
import { newUuid } from '../../lib/uuid.ts'
import { ada, clickTwice, noConnection, renderWithAnswers } from '../../test-fixture.tsx'
import { changedElsewhereTexts } from '../parts/changed-elsewhere-texts.ts'
import { publishedSite as site } from './site-fixture.ts'
import { WebsiteBuilderScreen } from './website-builder-screen.tsx'

/** The builder with a server that has this site, and that cannot be reached while `isDown`. */
async function opened(changes: Partial<Site> = {}, user = { ...ada, _id: newUuid() }, areHoursSet = true) {
  let stored = { ...site, ...changes }
  const server = {
    isDown: false,
    delay: Promise.resolve(),
    readDelay: Promise.resolve(),
    saved: [] as RouterInputs['website']['save'][],
    saveElsewhere: (other: Partial<Site>) => {
      stored = { ...stored, ...other }
    },
  }
  const screen = await renderWithAnswers(<WebsiteBuilderScreen />, {
    // Unsaved changes are kept by user.
    auth: { me: () => user },
    website: {
      site: async () => {
        await server.readDelay
        return stored
      },
      gallery: () => [],
      links: () => [],
      checkDomainName: () => ({ free: true, message: null, address: 'https://ada-ink.example' }),
      save: async (input) => {
        await server.delay
        if (server.isDown) throw noConnection()
        server.saved.push(input)
        stored = {
          ...stored,
          published: input.published ?? stored.published,
          ...(input.personalInfo && {
            personalInfo: { ...stored.personalInfo, ...input.personalInfo } as Site['personalInfo'],
          }),
          ...(input.address && { address: { ...stored.address, ...input.address } as Site['address'] }),
          ...(input.sections && { sections: { ...stored.sections, ...input.sections } as Site['sections'] }),
          ...(input.images && { images: { ...stored.images, ...input.images } as Site['images'] }),
          ...(input.links && { links: { hidden: input.links.hidden ?? [] } }),
        }
        return stored
      },
    },
    media: { list: () => [] },
    appointments: {
      availability: () => ({ ...defaultAvailability, timeZone: 'America/New_York', isSet: areHoursSet }),
    },
  })
  await expect.element(page.getByRole('form', { name: 'Website' })).toBeVisible()
  return Object.assign(server, {
    calls: screen.calls,
    router: screen.router,
    leave: async () => await screen.unmount(),
  })
}

const save = page.getByRole('button', { name: 'Save', exact: true })
/** Saves by key, as a toast may cover the button. */
const saveByKey = async () => {
  ;(save.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
}
const isPublic = page.getByRole('switch', { name: 'Public' })
const press = async (name: string | RegExp) => await page.getByRole('button', { name }).click()

beforeEach(async () => await page.viewport(1000, 900))
afterEach(() => {
  localStorage.clear()
  vi.restoreAllMocks()
})

test('a failure is no longer shown after a save that succeeded', async () => {
  const server = await opened()
  server.isDown = true
  await page.getByText('Public', { exact: true }).click()
  await expect.element(page.getByRole('alert').getByText(siteMessages.saveFailed)).toBeVisible()
  server.isDown = false
  await page.getByText('Public', { exact: true }).click()
  await expect.element(isPublic).not.toBeChecked()
  await expect.element(page.getByText(siteMessages.saveFailed)).not.toBeInTheDocument()
})

test('a save that fails after the screen was left is reported by a toast', async () => {
  const server = await opened()
  const answer = Promise.withResolvers<void>()
  server.delay = answer.promise
  server.isDown = true
  await page.getByRole('textbox', { name: 'City' }).fill('Reno')
  await save.click()
  await expect.poll(() => server.calls.some(({ path }) => path === 'website.save')).toBe(true)
  await server.leave()
  answer.resolve()
  await expect.element(page.getByRole('alertdialog').getByText(siteMessages.saveFailed)).toBeVisible()
})

test.each([
  { state: 'another device has changed an edited field', message: changedElsewhereTexts.notSaved },
  { state: 'the booking hours of a new website are missing', message: siteMessages.hoursMissing },
])('a save that stops after the screen was left, since $state, is reported with a way back', async ({ message }) => {
  const isNew = message === siteMessages.hoursMissing
  const user = { ...ada, _id: newUuid() }
  const server = await opened(
    isNew ? { published: false, personalInfo: { ...site.personalInfo, domainName: '' } } : {},
    user,
    !isNew,
  )
  const city = page.getByRole('textbox', { name: 'City' })
  await city.fill('Reno')
  if (isNew) await page.getByRole('textbox', { name: 'Domain name' }).fill('ada-tattoo')
  const answer = Promise.withResolvers<void>()
  server.readDelay = answer.promise
  const reads = () => server.calls.filter(({ path }) => path === 'website.site').length
  const before = reads()
  await save.click()
  await expect.poll(reads).toBe(before + 1)
  await server.leave()
  if (!isNew) server.saveElsewhere({ address: { ...site.address, city: 'Boise' } })
  answer.resolve()
  const report = page.getByRole('alertdialog')
  await expect.element(report.getByText(message)).toBeVisible()
  expect(server.saved).toEqual([])
  await report.getByRole('button', { name: 'Open Website Builder' }).click()
  await expect.poll(() => server.router.state.location.pathname).toBe('/website-builder')
  await opened({}, user)
  await expect.element(city).toHaveValue('Reno')
})

test('a double click saves once', async () => {
  const server = await opened()
  await page.getByRole('textbox', { name: 'City' }).fill('Reno')
  await clickTwice(save)
  await expect.element(page.getByText('Everything is saved')).toBeVisible()
  expect(server.saved).toHaveLength(1)
})

test('a save does not undo what another device has saved in other fields', async () => {
  const server = await opened()
  const phone = '312-555-0199'
  server.saveElsewhere({ published: false, personalInfo: { ...site.personalInfo, domainName: 'ada-tattoo', phone } })
  await page.getByRole('textbox', { name: 'City' }).fill('Reno')
  await saveByKey()
  await expect.element(page.getByText('Hidden from visitors')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Phone' })).toHaveValue(phone)
  expect(server.saved).toMatchObject([
    { published: false, personalInfo: { domainName: 'ada-tattoo', phone }, address: { city: 'Reno' } },
  ])
})

test('a question added here and a price added on another device are both saved', async () => {
  const server = await opened()
  await press('Add a service')
  await page.getByRole('textbox', { name: 'Price' }).nth(1).fill('$80')
  await press('Remove service 2')
  await page.getByText('Aftercare', { exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Aftercare' }).fill('Keep it dry.')
  const services = [...site.sections.services, { name: 'Sleeve', price: 'from $2,000', note: '' }]
  server.saveElsewhere({ sections: { ...site.sections, services } })
  await saveByKey()
  await expect.poll(() => server.saved).toMatchObject([{ sections: { aftercare: 'Keep it dry.', services } }])
})

test('a save does not overwrite an edited field that another device has changed, until it is repeated', async () => {
  const server = await opened()
  const city = page.getByRole('textbox', { name: 'City' })
  const notice = page.getByRole('alert').getByText(changedElsewhereTexts.notice)
  await city.fill('Reno')
  server.saveElsewhere({ address: { ...site.address, city: 'Boise' } })
  await saveByKey()
  await expect.element(notice).toBeInViewport()
  await expect.element(city).toHaveValue('Reno')
  expect(server.saved).toEqual([])
  await saveByKey()
  await expect.poll(() => server.saved).toMatchObject([{ address: { city: 'Reno' } }])
})

test('a notice says that another device has changed an edited field since the unsaved edit was stored', async () => {
  const user = { ...ada, _id: newUuid() }
  const before = await opened({}, user)
  await page.getByRole('textbox', { name: 'City' }).fill('Reno')
  await page.getByRole('textbox', { name: 'State' }).fill('NV')
  await before.leave()
  await opened({ address: { ...site.address, city: 'Boise' } }, user)
  await expect.element(page.getByRole('alert').getByText(changedElsewhereTexts.notice)).toBeVisible()
  await press(changedElsewhereTexts.show)
  await expect.element(page.getByRole('textbox', { name: 'City' })).toHaveValue('Boise')
  await expect.element(page.getByRole('textbox', { name: 'State' })).toHaveValue('NV')
  await expect.element(page.getByText(changedElsewhereTexts.notice)).not.toBeInTheDocument()
})

test('what was typed during a save is not taken for a change on another device', async () => {
  const server = await opened()
  const answer = Promise.withResolvers<void>()
  server.delay = answer.promise
  const city = page.getByRole('textbox', { name: 'City' })
  await city.fill('Reno')
  await saveByKey()
  await expect.poll(() => server.calls.some(({ path }) => path === 'website.save')).toBe(true)
  await city.fill('Reno, Nevada')
  answer.resolve()
  await expect.poll(() => server.saved).toHaveLength(1)
  await expect.element(save).toBeEnabled()
  await saveByKey()
  await expect.poll(() => server.saved).toMatchObject([{}, { address: { city: 'Reno, Nevada' } }])
})

test('empty rows disappear with a save, and an error is shown in the row that has it', async () => {
  const server = await opened()
  await press('Add a service')
  await press('Add a service')
  await page.getByRole('textbox', { name: 'Price' }).last().fill('$80')
  await save.click()
  await expect.element(page.getByText(siteMessages.serviceName)).toBeVisible()
  const names = page.getByRole('textbox', { name: 'Service' })
  await expect.element(names.last()).toHaveAttribute('aria-invalid', 'true')
  await expect.element(names.last()).toHaveFocus()
  await names.last().fill('Flash')
  await press('Add a service')
  await save.click()
  await expect.element(page.getByText('Everything is saved')).toBeVisible()
  expect(server.saved.at(-1)?.sections?.services).toEqual([
    ...site.sections.services,
    { name: 'Flash', price: '$80', note: '' },
  ])
})

test('the fields of each row are a group with the number of the row', async () => {
  await opened()
  const count = site.sections.services.length
  await press('Add a service')
  const added = page.getByRole('group', { name: `service ${count + 1}` })
  await expect.element(added.getByRole('textbox', { name: 'Price' })).toBeVisible()
  expect(added.getByRole('button').elements()).toHaveLength(1)
})

const pressByKey = async (name: string) => {
  const button = page.getByRole('button', { name, exact: true }).element() as HTMLElement
  button.focus()
  await userEvent.keyboard('{Enter}')
  return button
}

test('an added row gets the focus at its first field', async () => {
  await opened()
  const count = site.sections.services.length
  await pressByKey('Add a service')
  const added = page.getByRole('group', { name: `service ${count + 1}` })
  await expect.element(added.getByRole('textbox', { name: 'Service' })).toHaveFocus()
})

test('a section that is moved or switched off by keyboard stays in view', async () => {
  await page.viewport(1000, 500)
  const shown: SiteSection[] = ['services', 'questions', 'aftercare', 'work', 'hours', 'contact']
  await opened({ sections: { ...site.sections, shown } })
  const isInView = () => {
    const { top, bottom } = document.activeElement?.getBoundingClientRect() ?? new DOMRect()
    return top >= 0 && bottom <= innerHeight
  }
  for (let moves = 2; moves < shown.length; moves += 1) {
    const button = await pressByKey('Contact earlier')
    await expect.poll(isInView).toBe(true)
    expect(document.activeElement).toBe(button)
    await expect.element(page.getByText(`Contact is now ${shown.length + 1 - moves} of 6`)).toBeInTheDocument()
  }
  const contact = page.getByRole('switch', { name: 'Contact' })
  ;(contact.element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  await expect.element(contact).not.toBeChecked()
  await expect.element(contact).toHaveFocus()
  await expect.poll(isInView).toBe(true)
})

test('an unticked contact detail is saved as hidden, and a ticked one as shown', async () => {
  const server = await opened({ personalInfo: { ...site.personalInfo, email: 'ada@ink.example' } })
  const email = page.getByRole('group', { name: 'Shown on your website' }).getByRole('checkbox', { name: 'Email' })
  const toggleAndSave = async () => {
    ;(email.element() as HTMLElement).focus()
    await userEvent.keyboard(' ')
    await saveByKey()
    await expect.element(page.getByText('Everything is saved')).toBeVisible()
  }
  await expect.element(email).toBeChecked()
  await toggleAndSave()
  await expect.poll(() => server.saved.map(({ links }) => links?.hidden)).toEqual([['email']])
  await expect.element(email).not.toBeChecked()
  await toggleAndSave()
  await expect.poll(() => server.saved.map(({ links }) => links?.hidden)).toEqual([['email'], []])
})

test('own colours can be exchanged for those of the palette', async () => {
  await opened({ design: { layout: 'portrait', palette: 'sailor' }, branding: sitePalettes.sailor.colors })
  const text = page.getByLabelText('Text', { exact: true })
  await page.getByText('Your own colours').click()
  await text.fill('#ffffff')
  await press('Back to Sailor')
  await expect.element(text).toHaveValue('#f6ecd6')
})

test('on a phone the preview is behind a tab, from which what was edited can be saved', async () => {
  await page.viewport(390, 844)
  const server = await opened()
  await page.getByRole('textbox', { name: 'About' }).fill('Fine lines.')
  await page.getByRole('tab', { name: 'Preview' }).click()
  await expect.element(page.getByRole('region', { name: 'Preview' })).toBeVisible()
  await save.click()
  await expect.element(page.getByText('Everything is saved')).toBeVisible()
  expect(server.saved.map(({ personalInfo }) => personalInfo?.about)).toEqual(['Fine lines.'])
  await page.getByRole('tab', { name: 'Edit' }).click()
  await expect.element(page.getByRole('textbox', { name: 'About' })).toHaveValue('Fine lines.')
})

/** Answers the uploads of pictures in turn. */
function answerUploads(...answers: Response[]): void {
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    async () => await Promise.resolve(answers.shift() ?? Response.error()),
  )
}
const refused = () => Response.json({ message: 'Not a picture.', code: 'invalid' }, { status: 400 })

/** Picks a file in the field of a picture. */
function pick(field: Locator, name: string): void {
  const input = field.element().querySelector<HTMLInputElement>('input[type=file]')
  const files = new DataTransfer()
  files.items.add(new File(['a'], name, { type: 'image/png' }))
  if (input) input.files = files.files
  input?.dispatchEvent(new Event('change', { bubbles: true }))
}

test('a picture that could not be uploaded prevents saving until it is replaced, and a saved one can be removed', async () => {
  answerUploads(refused(), Response.json({ ...site.images.logoImage, fileName: 'wall.png' }))
  const server = await opened()
  const field = page.getByRole('group', { name: 'Background image' })
  pick(field, 'broken.png')
  await expect.element(field.getByRole('alert')).toBeVisible()
  await save.click()
  await expect.element(field.getByRole('alert')).toHaveFocus()
  pick(field, 'wall.png')
  await expect.element(field.getByRole('alert')).not.toBeInTheDocument()
  await save.click()
  await expect
    .poll(() => server.saved.map(({ images }) => images?.backgroundImage))
    .toMatchObject([{ fileName: 'wall.png' }])
  await press('Remove background image')
  await saveByKey()
  await expect.poll(() => server.saved.at(-1)?.images?.backgroundImage).toBeNull()
})

test('Remove drops a picture that could not be uploaded and shows the saved one again, and Discard undoes all changes', async () => {
  answerUploads(refused())
  await opened()
  const field = page.getByRole('group', { name: 'Logo' })
  pick(field, 'new.png')
  await expect.element(field.getByText('Not a picture.')).toBeVisible()
  await press('Remove logo')
  await expect.element(field.getByRole('img', { name: 'logo.gif' })).toBeVisible()
  await expect.element(page.getByText('Everything is saved')).toBeVisible()
  await press('Remove logo')
  await expect.element(page.getByText('Unsaved changes, kept on this device')).toBeVisible()
  await page.getByRole('textbox', { name: 'City' }).fill('Seattle')
  await press('Discard')
  await expect.element(page.getByText('Everything is saved')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'City' })).toHaveValue('')
  await expect.element(field.getByRole('img', { name: 'logo.gif' })).toBeVisible()
})

test('a picture that could not be uploaded after the screen was left is reported by a toast', async () => {
  const answer = Promise.withResolvers<Response>()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => await answer.promise)
  const server = await opened()
  pick(page.getByRole('group', { name: 'Logo' }), 'new.png')
  await expect.element(page.getByText('Uploading new.png')).toBeVisible()
  await server.leave()
  answer.resolve(refused())
  await expect.element(page.getByRole('alertdialog').getByText('new.png: Not a picture.')).toBeVisible()
})

test.each([390, 1300])('at a width of %i pixels no form is within another', async (width) => {
  await page.viewport(width, 900)
  await opened()
  await expect.poll(() => document.querySelectorAll('iframe').length).toBeGreaterThan(2)
  expect(document.querySelectorAll('form form')).toHaveLength(0)
})

test('on a phone the buttons of unsaved changes are beside each other', async () => {
  await page.viewport(390, 844)
  await opened()
  await page.getByRole('textbox', { name: 'City' }).fill('Reno')
  const discard = page.getByRole('button', { name: 'Discard' })
  await expect.element(discard).toBeVisible()
  const middleOf = (button: Locator) => {
    const { top, bottom } = button.element().getBoundingClientRect()
    return (top + bottom) / 2
  }
  expect(middleOf(discard)).toBeCloseTo(middleOf(save), 0)
})

test('on a phone the switch is beside the state, and Share beside the address; the colours stay within their cards', async () => {
  await page.viewport(390, 844)
  await opened()
  const box = (target: Locator) => target.element().getBoundingClientRect()
  const [state, address] = [
    page.getByText('Your website is public'),
    page.getByRole('link', { name: 'ada-ink.example' }),
  ]
  const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2
  expect(Math.abs(middle(box(page.getByText('Public', { exact: true }))) - middle(box(state)))).toBeLessThan(2)
  expect(box(page.getByRole('button', { name: 'Share' })).height).toBe(box(address).height)
  expect(middle(box(page.getByRole('button', { name: 'Share' })))).toBe(middle(box(address)))
  await page.viewport(768, 900)
  const swatches = [...document.querySelectorAll('[class*=swatch]')]
  expect(swatches.length).toBeGreaterThan(4)
  for (const swatch of swatches)
    expect(swatch.getBoundingClientRect().right).toBeLessThan(swatch.parentElement!.getBoundingClientRect().right - 4)
})
