import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { languageNames, languages } from '#core/kernel/languages.ts'
import { arrived, layoutFaultsOf, loadAfter, takeScreenshot } from '#tests/support/browser.ts'
import { fieldOf } from '#tests/support/page-facts.ts'
import { makeShop } from '#tests/support/shop.ts'
import { chooseCountry, fillOrder, openStorefront, payButton } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits({ worker: true })

const french: Record<string, string> = JSON.parse(readFileSync('web/app/i18n/messages/fr.json', 'utf8'))

/** From now on the browser requests pages in these languages, whatever its own language is. */
async function setLanguages(page: Page, acceptLanguage: string): Promise<void> {
  await page.unrouteAll()
  await page.route('**/*', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'accept-language': acceptLanguage } }),
  )
}

const languageOfPage = (page: Page) => page.locator('html').getAttribute('lang')

/** The texts of the page that are still English: those identical to one of ours, or built from one with placeholders. */
async function englishOn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      if (!parentElement?.closest('script,style,noscript')) found.push(textContent ?? '')
    }
    for (const element of document.querySelectorAll('[aria-label],[title],[alt],[placeholder]'))
      for (const name of ['aria-label', 'title', 'alt', 'placeholder']) found.push(element.getAttribute(name) ?? '')
    return [document.title, ...found].map((text) => text.trim()).filter(Boolean)
  })
  const differing = Object.entries(french).filter(([english, translated]) => english !== translated)
  const wholeTexts = new Set(differing.map(([english]) => english))
  const patterns = differing
    .filter(([english]) => english.replaceAll(/\{\w+\}/g, '').length > 10 && english.includes('{'))
    .map(
      ([english]) => new RegExp(`^${english.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '.+?')}$`),
    )
  return texts.filter((text) => wholeTexts.has(text) || patterns.some((pattern) => pattern.test(text)))
}

describe('a French reader', () => {
  it('sees French and euros, and orders without a word of English', () =>
    onPage(async ({ page }) => {
      await setLanguages(page, 'fr-FR,fr;q=0.9,en;q=0.5')
      await openStorefront(page)
      await expect.poll(() => languageOfPage(page)).toBe('fr-FR')
      await expect.poll(() => page.title()).toBe('S’abonner à Harbour Light')
      await expect.poll(() => fieldOf(page, 'country').inputValue()).toBe('France')
      await page.getByText('Prix en euros').waitFor()
      await page.getByText('34,99\u00A0€', { exact: true }).and(page.locator(':visible')).first().waitFor()
      expect(await englishOn(page)).toEqual([])

      await fillOrder(page, 'zoe.fr@example.test', { card: '4000 0000 0000 0002' })
      await page
        .locator('[id="field-billing.postCode-error"]')
        .getByText('Ce code postal n’existe pas dans ce pays. Veuillez le vérifier.')
        .waitFor()
      await fieldOf(page, 'billing.postCode').fill('75001')
      await expect.poll(() => payButton(page).innerText()).toBe('Payer 82,00\u00A0€')
      await payButton(page).click()
      await page.getByText('Désolé, votre paiement a été refusé.').first().waitFor()
      expect(await englishOn(page)).toEqual([])
      await page.getByRole('button', { name: 'Retour aux moyens de paiement' }).click()
      await fieldOf(page, 'payment.cardNumber').fill('4242 4242 4242 4242')
      await payButton(page).click()
      await arrived(page, '**/ordersuccess?**')
      await page.getByRole('heading', { name: 'Merci pour votre commande' }).waitFor()
      await page.getByText('Papier, un an').waitFor()
      expect(await englishOn(page)).toEqual([])
    }))

  it('in Belgium sees French, and a Flemish reader sees Dutch', () =>
    onPage(async ({ page }) => {
      await setLanguages(page, 'fr-BE,fr;q=0.9,nl;q=0.8')
      await page.goto('/harbour-light')
      await expect.poll(() => languageOfPage(page)).toBe('fr-FR')
      await setLanguages(page, 'nl-BE')
      await page.goto('/harbour-light')
      await expect.poll(() => languageOfPage(page)).toBe('nl-NL')
    }))

  it('reads in French that a page does not exist, and logs in in French', () =>
    onPage(async ({ page }) => {
      await setLanguages(page, 'fr')
      expect((await page.goto('/no-such-title'))?.status()).toBe(404)
      await page.getByRole('heading', { name: 'Il n’y a pas de publication à cette adresse' }).waitFor()
      await expect.poll(() => languageOfPage(page)).toBe('fr-FR')
      expect(await englishOn(page)).toEqual([])
      await openStorefront(page)
      await page.getByRole('link', { name: 'Se connecter', exact: true }).click()
      await arrived(page, '**/harbour-light/login**')
      expect(await englishOn(page)).toEqual([])
    }))
})

describe('the country box', () => {
  it('works using only the keyboard, changes prices and language, and loses nothing typed', () =>
    onPage(async ({ page }) => {
      await openStorefront(page)
      await fieldOf(page, 'firstName').fill('Zoë')
      await fieldOf(page, 'password').fill('not lost')
      await page.locator('#main').focus()
      const box = fieldOf(page, 'country')
      for (let step = 0; step < 12 && !(await box.evaluate((input) => input === document.activeElement)); step++)
        await page.keyboard.press('Tab')
      await page.keyboard.type('holl')
      await expect.poll(() => box.getAttribute('aria-expanded')).toBe('true')
      await expect.poll(() => page.locator('[role=option][aria-selected=true]').innerText()).toBe('Netherlands')
      await page.keyboard.press('Escape')
      await expect.poll(() => box.inputValue()).toBe('United Kingdom')
      await expect.poll(() => page.getByRole('option').count()).toBe(0)

      await page.keyboard.type('united')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('Prices now in US dollars').waitFor()
      await expect.poll(() => box.inputValue()).toBe('United States')
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => page.getByRole('option').count()).toBe(250)
      await expect
        .poll(() => page.getByRole('option').allInnerTexts())
        .toEqual(expect.arrayContaining(['United Kingdom', 'Afghanistan', 'Zimbabwe']))
      await page.keyboard.type('holl')
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('Prijzen nu in euro’s').waitFor()
      await expect.poll(() => languageOfPage(page)).toBe('nl-NL')
      await expect.poll(() => page.title()).toBe('Abonneren op Harbour Light')
      await expect.poll(() => box.inputValue()).toBe('Nederland')
      await expect.poll(() => fieldOf(page, 'firstName').inputValue()).toBe('Zoë')
      await expect.poll(() => fieldOf(page, 'password').inputValue()).toBe('not lost')
    }))

  it('has its whole text selected by the time that the next key can arrive, so that typing replaces it', () =>
    onPage(async ({ page }) => {
      await openStorefront(page)
      const box = fieldOf(page, 'country')
      await box.focus()
      /** What is selected once React has handled the key, before the browser draws. */
      const selectedAfter = (key: string) =>
        box.evaluate(async (element, name) => {
          const input = element as HTMLInputElement
          input.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }))
          await Promise.resolve()
          return input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0)
        }, key)
      await page.keyboard.type('holl')
      await page.getByRole('option', { name: 'Netherlands' }).waitFor()
      expect(await selectedAfter('Escape')).toBe('United Kingdom')
      await page.keyboard.type('holl')
      await page.getByRole('option', { name: 'Netherlands' }).waitFor()
      expect(await selectedAfter('Enter')).toBe('Netherlands')
      await expect.poll(() => languageOfPage(page)).toBe('nl-NL')
      expect(await page.evaluate(() => String(getSelection()))).toBe('Nederland')
    }))

  it('is linked from the message that nothing is sold in the country', async () => {
    const shop = await makeShop(server.services)
    await server.services.db.run(`DELETE FROM publication_prices WHERE publication_id = :id AND band = 'EU'`, {
      id: shop.id,
    })
    await onPage(async ({ page }) => {
      await openStorefront(page, `/${shop.urlKey}?country=IE`)
      await page.getByText('Not sold in this country').waitFor()
      await page.getByRole('link', { name: 'Choose another country' }).click()
      await expect.poll(() => fieldOf(page, 'country').evaluate((input) => input === document.activeElement)).toBe(true)
      await chooseCountry(page, 'us')
      await page.getByText('$49.99', { exact: true }).waitFor()
      await fieldOf(page, 'firstName').fill('Zoë')
      await fieldOf(page, 'password').fill('not lost')
      await chooseCountry(page, 'Ireland')
      await page.getByText('Not sold in this country').waitFor()
      await chooseCountry(page, 'us')
      await expect.poll(() => fieldOf(page, 'password').inputValue()).toBe('not lost')
      await chooseCountry(page, 'Ireland')
      await page.getByText('Not sold in this country').waitFor()
      await page.reload()
      await chooseCountry(page, 'us')
      await expect.poll(() => fieldOf(page, 'firstName').inputValue()).toBe('Zoë')
    })
  })

  it('is plain text if the publisher does not sell overseas', async () => {
    const shop = await makeShop(server.services)
    await server.services.db.run(`UPDATE accounts SET sell_overseas = :no, country = 'IE' WHERE user_id = :id`, {
      no: false,
      id: shop.publisherId,
    })
    await onPage(async ({ page }) => {
      await openStorefront(page, `/${shop.urlKey}?country=FR`)
      await expect.poll(() => fieldOf(page, 'country').count()).toBe(0)
      await page.getByText('This publication is sold in this country only.').waitFor()
      await page.getByText('€39.99', { exact: true }).waitFor()
    })
  })
})

describe('the language switch', () => {
  it('keeps the entries, and lasts through a change of country and the next visit', () =>
    onPage(async ({ page }) => {
      await openStorefront(page)
      await fieldOf(page, 'lastName').fill('O’Brien')
      await page.getByText('Language: English').click()
      await page.getByRole('link', { name: 'Deutsch' }).click()
      await page.getByText('Wählen Sie Ihr Abonnement').waitFor()
      await expect.poll(() => fieldOf(page, 'lastName').inputValue()).toBe('O’Brien')
      await chooseCountry(page, 'fra')
      await page.getByText('82,00\u00A0€', { exact: true }).and(page.locator(':visible')).first().waitFor()
      await expect.poll(() => languageOfPage(page)).toBe('de-DE')
      await expect.poll(() => fieldOf(page, 'lastName').inputValue()).toBe('O’Brien')
      await page.goto('/harbour-light')
      await expect.poll(() => languageOfPage(page)).toBe('de-DE')
    }))

  it('works without JavaScript, and so do the country and the price column of every product', () =>
    onPage(
      async ({ page }) => {
        await page.goto('/harbour-light?country=US')
        await page.getByText('Language: English').click()
        await page.getByRole('link', { name: 'Italiano' }).click()
        await expect.poll(() => new URL(page.url()).searchParams.get('country')).toBe('US')
        await expect.poll(() => languageOfPage(page)).toBe('it-IT')
        for (const name of ['Cartaceo', 'Digitale', 'Cartaceo e digitale'])
          await page.getByRole('heading', { name, exact: true }).waitFor()
        await page.getByRole('combobox').selectOption('DE')
        await loadAfter(page, () => page.getByRole('button', { name: 'Mostra i prezzi' }).click())
        await expect.poll(() => languageOfPage(page)).toBe('it-IT')
        await page.getByText('Prezzi in euro').waitFor()
      },
      { javaScriptEnabled: false, width: 360 },
    ))

  it.each(languages)('has room for longer words in %s on a phone', (language) =>
    onPage(
      async ({ page }) => {
        await openStorefront(page, `/harbour-light?lang=${language}`)
        await page.getByText(`: ${languageNames[language]}`).waitFor()
        expect(await layoutFaultsOf(page)).toEqual([])
        await page.evaluate(() => {
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
          while (walker.nextNode()) {
            const node = walker.currentNode
            const text = node.textContent?.trim() ?? ''
            if (text && !node.parentElement?.closest('script,style,noscript'))
              node.textContent += text.slice(0, Math.ceil(text.length * 0.4))
          }
        })
        await takeScreenshot(page, `longer-${language}`)
        expect(await layoutFaultsOf(page)).toEqual([])
      },
      { width: 360 },
    ),
  )
})

describe('the price table on a phone', () => {
  it('shows one product at a time, by tabs with arrow keys', () =>
    onPage(
      async ({ page }) => {
        await openStorefront(page)
        const columnsShown = () => page.locator('.product-column:visible').count()
        await expect.poll(() => columnsShown()).toBe(1)
        await page.getByRole('tab', { name: 'Print', exact: true }).focus()
        await page.keyboard.press('ArrowRight')
        await expect.poll(() => page.getByRole('tab', { selected: true }).innerText()).toBe('Digital')
        await expect
          .poll(() => page.getByRole('tab', { selected: true }).evaluate((tab) => tab === document.activeElement))
          .toBe(true)
        await page.getByText('£29.99', { exact: true }).click()
        await page.getByText('Digital, one year').first().waitFor()
        await page.keyboard.press('Tab')
        await expect.poll(() => columnsShown()).toBe(1)
      },
      { width: 360 },
    ))
})
