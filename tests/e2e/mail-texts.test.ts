import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { arrived, faultsOf, layoutFaultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { fillOrder, openStorefront, payButton } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage, asRole } = openVisits({ worker: true })

let publicationId = 0
beforeAll(async () => {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publicationId = row?.id ?? 0
})

const inPreview = (page: Page) => page.frameLocator('iframe[title="The email as HTML"]')

describe('the text of an email', () => {
  it('is left only after a confirmation, which stays open even if a reload of the page ends meanwhile', async () => {
    await asRole('publisher', async ({ page }) => {
      await page.goto(`/emailtemplates/${publicationId}/gift-notice`)
      const heldReloads: Route[] = []
      let areHeld = true
      await page.route('**/*.data*', async (route) => {
        if (areHeld && route.request().method() === 'GET') heldReloads.push(route)
        else await route.continue()
      })
      const text = page.getByRole('textbox', { name: 'Text', exact: true })
      await text.fill('Hello {{nmae}}')
      await page.getByRole('button', { name: /^Update/ }).click()
      await page.getByText('text not updated').waitFor()
      await page.getByRole('link', { name: 'Français' }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.waitFor()
      await expect.poll(() => heldReloads.length).toBe(1)
      areHeld = false
      const [reload] = heldReloads
      await reload?.continue()
      await (await reload?.request().response())?.finished()
      // Waits for the render that follows the reload.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(await text.inputValue()).toBe('Hello {{nmae}}')
      await page.getByRole('link', { name: 'Français' }).click()
      await dialog.getByRole('button', { name: 'Leave without saving' }).click()
      await arrived(page, '**/gift-notice?language=fr')
      await expect.poll(() => text.inputValue()).not.toBe('Hello {{nmae}}')
    })
  })

  it('is previewed while typing, refused with its errors, saved and received', async () => {
    const greeting = 'Welcome aboard'
    await asRole(
      'publisher',
      async ({ page }) => {
        await page.goto('/emailtemplates')
        await page.getByRole('link', { name: 'Purchase Receipt of Harbour Light' }).click()
        const text = page.getByRole('textbox', { name: 'Receipt Text' })
        // What is typed after a test email of the stored text still counts as an unsaved change.
        await page.getByRole('button', { name: 'Send me a test email' }).click()
        await page.getByText('A test email was sent to publisher@demo.masthead.test').waitFor()
        await text.fill(`${greeting}, {{nmae}}. <script>window.ran = 1</script>`)
        await inPreview(page).getByText(`${greeting}, {{nmae}}. <script>`).waitFor()
        await page.getByText('"{{nmae}}" is not a placeholder of this email').waitFor()
        await page.getByRole('button', { name: 'Update Receipt Text' }).click()
        await page.getByText('Purchase Receipt text not updated').waitFor()
        await inPreview(page).getByText(`${greeting}, {{nmae}}. <script>`).waitFor()
        expect(await layoutFaultsOf(page)).toEqual([])
        await takeScreenshot(page, 'mail-text-refused')
        await page.getByRole('link', { name: 'Français' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
        await text.fill(`${greeting}: `)
        await page.getByRole('button', { name: '{{order number}}' }).click()
        await inPreview(page).getByText(`${greeting}: OD-XXXXXXX`).waitFor()
        await page.getByRole('button', { name: 'Phone' }).click()
        await page.getByRole('button', { name: 'Send me a test email' }).click()
        await page.getByText('A test email was sent to publisher@demo.masthead.test').waitFor()
        expect(await text.inputValue()).toBe(`${greeting}: {{order number}}`)
        await text.press('Control+s')
        await page.getByText('Purchase Receipt text updated successfully').waitFor()
      },
      { width: 360 },
    )
    const emails = (await server.services.mail.devMailbox?.list(1000)) ?? []
    const samples = emails.filter(({ text }) => text.includes(`${greeting}: OD-XXXXXXX`))
    expect(samples.map(({ to }) => to)).toEqual(['publisher@demo.masthead.test'])
    const email = 'mail-texts@example.test'
    await onPage(
      async ({ page }) => {
        await openStorefront(page)
        await fillOrder(page, email, { card: '4242 4242 4242 4242' })
        await payButton(page).click()
        await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
      },
      { width: 360 },
    )
    await server.jobsDone()
    const receipt = (await server.services.mail.devMailbox?.list(1000))?.find(({ to }) => to === email)
    expect(receipt?.text).toMatch(new RegExp(`${greeting}: OD-\\w{7}`))
  })
})

it('keeps the words pasted from Word without its markup, and loses nothing when there are too many', async () => {
  const paragraphs = Array.from({ length: 500 }, (_, n) => `Paragraph ${n} of a letter from the harbour master.`)
  const html = paragraphs
    .map(
      (text) =>
        `<p class=MsoNormal style="mso-margin-top-alt:auto;mso-ansi-language:EN-GB">${text}<o:p></o:p>${' '.repeat(270)}</p>`,
    )
    .join('')
  expect(html.length).toBeGreaterThan(190_000)
  const source = `<!--[if gte mso 9]><xml></xml><![endif]--><style>p {mso-style-name:x}</style><script>window.ran = 1</script>${html}`
  await asRole('publisher', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/emailtemplates/${publicationId}/gift-notice`)
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await page.evaluate(
      ([markup, plain]) =>
        navigator.clipboard.write([
          new ClipboardItem({
            'text/html': new Blob([markup ?? ''], { type: 'text/html' }),
            'text/plain': new Blob([plain ?? ''], { type: 'text/plain' }),
          }),
        ]),
      [source, paragraphs.join('\n')],
    )
    await text.press('ControlOrMeta+v')
    expect(await text.inputValue()).toBe(paragraphs.join('\n'))
    const expectRefusal = async () => {
      await page.getByRole('button', { name: 'Update text' }).click()
      await page.getByText('Gift notice text not updated').waitFor()
      await page.getByText('Must be 20000 characters or fewer').first().waitFor()
    }
    await expectRefusal()
    expect(await text.inputValue()).toBe(paragraphs.join('\n'))

    // The user may also have copied the source itself.
    await text.fill(source)
    await page.getByText(/over the limit of 20000 characters/).waitFor()
    await expectRefusal()
    expect(await text.inputValue()).toBe(source)
    await text.fill(source.slice(0, 1000))
    await inPreview(page).getByText('<script>window.ran = 1</script>').waitFor()
    await page.getByRole('button', { name: 'Update text' }).click()
    await page.getByText('Gift notice text updated successfully').waitFor()
  })
  await server.services.db.run(`DELETE FROM mail_texts WHERE mail = 'gift-notice'`)
})

it('shows the text of another language next to the one that is edited', async () => {
  const { db } = server.services
  const now = server.services.now()
  for (const [language, body] of Object.entries({ '': 'For everybody', it: 'Il mare vi aspetta' }))
    await db.run(
      `INSERT INTO mail_texts (publication_id, mail, language, subject, body, created_at, updated_at)
       VALUES (:publicationId, 'renewal-offer', :language, '', :body, :now, :now)`,
      { publicationId, language, body, now },
    )
  await asRole(
    'pubadmin',
    async ({ page }) => {
      const comparison = page.getByRole('region', { name: 'Compare with' })
      const comparedLanguage = page.getByRole('combobox', { name: 'Compare with' })
      const text = page.getByRole('textbox', { name: 'Text', exact: true })
      await page.goto(`/emailtemplates/${publicationId}/renewal-offer?language=de`)
      await comparison.getByText('For everybody').waitFor()
      await text.fill('Das Meer wartet auf Sie')
      // The text is German, its editor is not.
      expect(await page.locator('html').getAttribute('lang')).toBe('en-GB')
      await comparedLanguage.selectOption('Italiano')
      await comparison.getByText('Il mare vi aspetta').waitFor()
      // The editor was not left: the input is still there, with the same warning as before.
      expect(await text.inputValue()).toBe('Das Meer wartet auf Sie')
      // Both are measured in one call: between two calls the page may scroll or change its layout.
      const placement = async () => {
        const written = await text.elementHandle()
        return comparison.evaluate((region, field) => {
          const editorBox = (field as Element).getBoundingClientRect()
          const comparisonBox = region.getBoundingClientRect()
          return { isBeside: comparisonBox.left >= editorBox.right, isBelow: comparisonBox.top >= editorBox.bottom }
        }, written)
      }
      await expect.poll(placement).toEqual({ isBeside: true, isBelow: false })
      expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
      await takeScreenshot(page, 'mail-text-beside')
      await page.setViewportSize({ width: 360, height: 800 })
      await expect.poll(placement).toEqual({ isBeside: false, isBelow: true })
      await takeScreenshot(page, 'mail-text-beside-phone')
      await page.setViewportSize({ width: 1280, height: 800 })

      await page.getByRole('button', { name: 'Update text' }).click()
      await page.getByText('text updated successfully').waitFor()
      await page.goto(`/emailtemplates/${publicationId}/renewal-offer?language=it`)
      await comparedLanguage.selectOption('Deutsch')
      await comparison.getByText('Das Meer wartet auf Sie').waitFor()
      // The choice is kept from language to language, except for the edited language itself.
      await page.getByRole('link', { name: 'Français' }).click()
      await arrived(page, /language=fr/)
      await comparison.getByText('Das Meer wartet auf Sie').waitFor()
      await comparedLanguage.selectOption('Español')
      await comparison.getByText('There is no text in this language: readers get the text for all languages.').waitFor()
      await page.getByRole('link', { name: 'Español' }).click()
      await arrived(page, /language=es/)
      await comparison.getByText('For everybody').waitFor()
      expect(await comparedLanguage.inputValue()).toBe('')
      await db.run(`DELETE FROM mail_texts WHERE mail = 'renewal-offer'`)
      await page.goto(`/emailtemplates/${publicationId}/renewal-offer?language=de`)
      await comparedLanguage.selectOption('Français')
      await comparison.getByText('The standard text, with sample data.').waitFor()
      await comparison.getByText(/abonnement/).waitFor()
    },
    { width: 1280 },
  )
})

it('can be reset to the standard text, and cannot be opened by users who may not edit it', async () => {
  await asRole('pubadmin', async ({ page }) => {
    await page.goto(`/emailtemplates/${publicationId}/gift-notice?language=fr`)
    const text = page.getByRole('textbox', { name: 'Text' })
    await text.fill('Bon vent !')
    // Somebody else saves a text in the meantime: discarding the changes shows theirs.
    const now = server.services.now()
    await server.services.db.run(
      `INSERT INTO mail_texts (publication_id, mail, language, subject, body, created_at, updated_at)
       VALUES (:publicationId, 'gift-notice', 'fr', '', 'Bonne route !', :now, :now)`,
      { publicationId, now },
    )
    await page.getByRole('button', { name: 'Update text' }).click()
    await page.getByRole('heading', { name: 'Two versions of this text' }).waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect.poll(() => text.inputValue()).toBe('Bonne route !')
    await text.fill('Bon vent !')
    await page.getByRole('button', { name: 'Update text' }).click()
    await page.getByText('Gift notice text updated successfully').waitFor()
    await page.getByRole('link', { name: 'Gift notice' }).click()
    await page.getByRole('link', { name: 'Français ✓' }).click()
    await page.getByRole('button', { name: 'Restore the standard text' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore the standard text' }).click()
    await page.getByText('Gift notice text reset to the standard text').waitFor()
  })
  await asRole('admin', async ({ page }) => {
    await page.goto(`/emailtemplates/${publicationId}/gift-notice`)
    expect(new URL(page.url()).pathname).toBe('/readers')
  })
})
