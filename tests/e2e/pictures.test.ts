import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { imageProblems } from '#core/images/image.rules.ts'
import { faultsOf, hydrated, type PageOptions, type WatchedPage } from '#tests/support/browser.ts'
import { expectNoFaults } from '#tests/support/no-faults.ts'
import { focusedId, focusedRole, focusedText, pathOf } from '#tests/support/page-facts.ts'
import { pngOf } from '#tests/support/pictures.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()
let publicationId: number
let cover: { name: string; mimeType: string; buffer: Buffer }
const demoCover = '/media/demo/harbour-light-cover.svg'

beforeAll(async () => {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publicationId = row?.id ?? 0
  cover = { name: 'summer.png', mimeType: 'image/png', buffer: await pngOf(600, 800, '#8B1E3F') }
})

beforeEach(() =>
  server.services.db.run(
    `UPDATE publications SET cover_image = 'demo/harbour-light-cover.svg', logo_image = 'demo/harbour-light-logo.svg' WHERE id = :id`,
    { id: publicationId },
  ),
)

/** Opens the page that changes a picture, as its publisher. */
function onChangePage(
  kind: 'cover' | 'logo',
  work: (visit: WatchedPage) => Promise<void>,
  options: Partial<PageOptions> = {},
): Promise<void> {
  return asRole(
    'publisher',
    async (visit) => {
      await visit.page.goto(`/publications/${publicationId}/${kind}`)
      await work(visit)
    },
    options,
  )
}

const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()
const fileBox = (page: Page) => page.locator('input[type=file]')

async function storefrontPictures(page: Page): Promise<{ src: string; isShown: boolean }[]> {
  await page.goto('/harbour-light')
  return page.locator('img').evaluateAll((images) =>
    (images as HTMLImageElement[]).map(({ src, complete, naturalWidth }) => ({
      src: new URL(src).pathname,
      isShown: complete && naturalWidth > 0,
    })),
  )
}

describe('changing a cover', () => {
  it('is linked from the card, previews the chosen file at once, and is then shown in the storefront', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/publications')
      await page.locator(`a[href="/publications/${publicationId}/cover"]`).first().click()
      await page.getByRole('heading', { level: 1, name: 'Change cover image' }).waitFor()
      await hydrated(page)
      await expect.poll(() => page.getByRole('img', { name: 'Current cover' }).getAttribute('src')).toBe(demoCover)
      await expectNoFaults(page, 'cover')
      const name = 'a-rather-long-name-of-a-picture-from-a-camera.png'
      await fileBox(page).setInputFiles({ ...cover, name })
      const preview = page.getByRole('img', { name: `Preview of ${name}` })
      await page.getByText('600 × 800 px. Not saved yet.').waitFor()
      await expectNoFaults(page, 'chosen')
      const box = await preview.boundingBox()
      expect(Math.round(((box?.width ?? 0) / (box?.height ?? 1)) * 100)).toBe(75)
      expect((await storefrontPictures(await page.context().newPage())).map(({ src }) => src)).toContain(demoCover)
      await save(page)
      await page.getByText('Publication Image updated').waitFor()
      await expect.poll(() => pathOf(page)).toBe('/publications')
      const shown = await storefrontPictures(page)
      expect(shown.every(({ isShown }) => isShown)).toBe(true)
      expect(shown.map(({ src }) => src)).toContainEqual(expect.stringMatching(/^\/images\/[\w-]+-600x800-600\.jpg$/))
    }))

  it('can be done using only the keyboard', () =>
    onChangePage('cover', async ({ page }) => {
      const chooser = page.waitForEvent('filechooser')
      await fileBox(page).press('Enter')
      await (await chooser).setFiles(cover)
      await page.getByRole('img', { name: 'Preview of summer.png' }).waitFor()
      await page.keyboard.press('Tab')
      await expect.poll(() => focusedText(page)).toBe('Keep the current image')
      await page.keyboard.press('Enter')
      await page.getByRole('img', { name: 'Current cover' }).waitFor()
      await expect
        .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.type))
        .toBe('file')
      await fileBox(page).setInputFiles(cover)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByText('Publication Image updated').waitFor()
    }))

  it('accepts a dropped picture', () =>
    onChangePage('cover', async ({ page }) => {
      const dropped = await page.evaluateHandle(
        (bytes) => {
          const transfer = new DataTransfer()
          transfer.items.add(new File([new Uint8Array(bytes)], 'dropped.png', { type: 'image/png' }))
          return transfer
        },
        [...cover.buffer],
      )
      await fileBox(page).dispatchEvent('drop', { dataTransfer: dropped })
      await page.getByRole('img', { name: 'Preview of dropped.png' }).waitFor()
      await save(page)
      await page.getByText('Publication Image updated').waitFor()
    }))

  it.each([
    ['a text', { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }, imageProblems.wrongType],
    [
      'a text named .png',
      { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('x') },
      imageProblems.damaged,
    ],
    [
      'six megabytes',
      { name: 'big.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(6 * 1024 * 1024) },
      imageProblems.tooLarge,
    ],
  ])('%s is refused before it is sent, and the old picture stays', (_, file, message) =>
    onChangePage('cover', async ({ page }) => {
      await fileBox(page).setInputFiles(file)
      await page.getByText(message).waitFor()
      await expect.poll(() => page.getByRole('img', { name: 'Current cover' }).getAttribute('src')).toBe(demoCover)
      expect(await fileBox(page).evaluate((box) => (box as HTMLInputElement).files?.length)).toBe(0)
      await expect.poll(() => fileBox(page).getAttribute('aria-invalid')).toBe('true')
      await fileBox(page).setInputFiles(cover)
      await expect.poll(() => page.getByText(message).count()).toBe(0)
    }),
  )

  it('reports the server’s refusal at the field, moves the focus there and keeps the old picture', () =>
    onChangePage('cover', async ({ page }) => {
      await fileBox(page).setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: await pngOf(4, 4) })
      await save(page)
      const summary = page.getByRole('alert')
      await summary.waitFor()
      await expect.poll(() => summary.innerText()).toBe(imageProblems.tooFewPixels)
      await expect.poll(() => focusedRole(page)).toBe('alert')
      await expect.poll(() => page.title()).toBe('Error: Change cover image – Masthead')
      expect(await faultsOf(page)).toEqual([])
      await page.getByRole('link', { name: imageProblems.tooFewPixels }).click()
      await expect.poll(() => focusedId(page)).toBe('field-image')
      expect((await storefrontPictures(page)).map(({ src }) => src)).toContain(demoCover)
    }))

  it('asks for a picture when none was chosen', () =>
    onChangePage('cover', async ({ page }) => {
      await save(page)
      await page.getByRole('alert').waitFor()
      await expect.poll(() => page.getByRole('alert').innerText()).toBe('Choose an image')
    }))
})

it('an image store that is down is reported in place, and the old picture stays', async () => {
  const folder = join(server.services.settings.dataDir, 'images')
  rmSync(folder, { recursive: true, force: true })
  writeFileSync(folder, 'in the way')
  try {
    await onChangePage('cover', async (watched) => {
      const { page } = watched
      await fileBox(page).setInputFiles(cover)
      await save(page)
      await page.getByRole('alert').waitFor()
      await expect
        .poll(() => page.getByRole('alert').innerText())
        .toBe('The image store is not responding. Please try again in a moment.')
      expect(watched.problems().filter((problem) => !problem.includes('503'))).toEqual([])
    })
  } finally {
    rmSync(folder, { force: true })
  }
})

it('a logo is removed, and the storefront shows the name in its place', () =>
  onChangePage('logo', async ({ page }) => {
    await expectNoFaults(page, 'logo')
    await page.getByLabel('Remove the image').check()
    await expect.poll(() => page.getByRole('img', { name: 'Current logo' }).count()).toBe(0)
    await save(page)
    await page.getByText('Publication Logo updated').waitFor()
    const shown = await storefrontPictures(page)
    expect(shown.map(({ src }) => src)).toEqual([demoCover])
    await expect.poll(() => page.locator('header').innerText()).toContain('Harbour Light')
  }))

describe('without JavaScript', () => {
  const withoutScripts = { javaScriptEnabled: false }

  it('a picture is changed with the plain file box', () =>
    onChangePage(
      'logo',
      async ({ page }) => {
        await fileBox(page).setInputFiles({ ...cover, buffer: await pngOf(500, 100) })
        await save(page)
        await expect.poll(() => pathOf(page)).toBe('/publications')
        await expect.poll(() => page.locator('body').innerText()).toContain('Publication Logo updated')
        const shown = await storefrontPictures(page)
        expect(shown[0]?.src).toMatch(/-500x100-320\.png$/)
        expect(shown.every(({ isShown }) => isShown)).toBe(true)
      },
      withoutScripts,
    ))

  it.each([
    ['a text named .png', Buffer.from('no picture'), imageProblems.wrongType],
    ['six megabytes', Buffer.alloc(6 * 1024 * 1024), imageProblems.tooLarge],
    ['more than the server reads', Buffer.alloc(12 * 1024 * 1024), imageProblems.tooLarge],
  ])('%s is refused in place', (_, buffer, message) =>
    onChangePage(
      'cover',
      async ({ page }) => {
        const file = join(server.services.settings.dataDir, 'notes.png')
        writeFileSync(file, buffer)
        await fileBox(page).setInputFiles(file)
        await save(page)
        await expect.poll(() => page.getByRole('alert').innerText()).toBe(message)
        await expect.poll(() => page.title()).toBe('Error: Change cover image – Masthead')
        await expect.poll(() => page.getByRole('img', { name: 'Current cover' }).getAttribute('src')).toBe(demoCover)
      },
      withoutScripts,
    ),
  )
})
