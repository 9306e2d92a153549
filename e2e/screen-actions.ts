import type { Page } from './browser.ts'

export const press = (name: string | RegExp) => async (page: Page) =>
  await page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .filter({ visible: true })
    .first()
    .click()
export const pressAll =
  (...names: (string | RegExp)[]) =>
  async (page: Page) => {
    for (const name of names) await press(name)(page)
  }
export const tab = (name: string) => async (page: Page) => await page.getByRole('tab', { name }).click()
/** Selects a view of a calendar. */
export const view = (name: 'Month' | 'Week' | 'Day' | 'Agenda') => press(name)

export const pickOne = async (page: Page) =>
  await page.getByRole('grid', { name: 'Media library' }).getByRole('row').first().click()
/** In the library a press opens an item, and its checkbox selects it. */
export const tickOne = async (page: Page) =>
  await page.getByRole('grid', { name: 'Media library' }).getByRole('row').first().locator('label').click()
export const toPages = async (page: Page) => {
  await tab('Media Library')(page)
  await pickOne(page)
  await press('Next')(page)
  await page.getByText('Select Social Accounts').waitFor()
}
export const toCaption = async (page: Page) => {
  await toPages(page)
  await press('Select all')(page)
  await press('Next')(page)
  await page.getByText('Post Caption').waitFor()
}
export const toReady = async (page: Page) => {
  await toCaption(page)
  await page.getByRole('textbox', { name: 'Caption' }).fill('Healed, one year on.')
  await press('Next')(page)
  await page.getByRole('heading', { name: 'Ready to Post' }).waitFor()
}
/** Goes to the last step, with this row of the library and the only page. */
export const toReadyWith = (row: number) => async (page: Page) => {
  await tab('Media Library')(page)
  await page.getByRole('grid', { name: 'Media library' }).getByRole('row').nth(row).click()
  await press('Next')(page)
  await page.getByText('Select Social Accounts').waitFor()
  await page.getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await press('Next')(page)
  await page.getByText('Post Caption').waitFor()
  await press('Next')(page)
  await page.getByRole('heading', { name: 'Ready to Post' }).waitFor()
}
