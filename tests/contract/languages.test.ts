import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mailMessages } from '#core/emails/mail-translator.ts'
import type { Language } from '#core/kernel/languages.ts'
import type { PhraseTemplate } from '#core/kernel/phrases.ts'
import { planPhrase, products, termLengths } from '#core/pricing/plan-code.rules.ts'
import { buyerPhrases, writtenPhrases } from '#tests/support/buyer-phrases.ts'
import { translatedTexts, untranslatedTexts } from '#tests/support/translated-texts.ts'
import de from '#web/app/i18n/messages/de.json'
import es from '#web/app/i18n/messages/es.json'
import fr from '#web/app/i18n/messages/fr.json'
import italian from '#web/app/i18n/messages/it.json'
import nl from '#web/app/i18n/messages/nl.json'
import pt from '#web/app/i18n/messages/pt.json'

/** Does not compile if a language lacks one of the core's phrase templates. */
const messagesIn = { de, es, fr, it: italian, nl, pt } satisfies Record<
  Exclude<Language, 'en'>,
  Record<PhraseTemplate, string>
>

/** The folders from which a storefront page gets its texts. */
const textFolders = [
  'web/app/components/storefront',
  'web/app/components/buyer',
  'web/app/components/layout',
  'web/app/components/ui',
  'web/app/http',
  'web/app/routes/buyer',
  'web/app/routes/storefront',
]

const needed = [...new Set([...translatedTexts(textFolders), ...buyerPhrases])].sort()
function placeholdersOf(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([slot]) => slot).sort()
}

it('finds the texts of the pages', () => {
  expect(needed.length).toBeGreaterThan(200)
  expect(needed).toEqual(expect.arrayContaining(['Log in', '{count} countries', 'Prices now in euros', 'Print']))
})

it('no page of a storefront has a word that bypasses the translator', () => {
  const shopFolders = textFolders.filter((folder) => /storefront|buyer/.test(folder))
  expect(untranslatedTexts(shopFolders)).toEqual([])
})

describe.each(Object.entries<Record<string, string>>(messagesIn))('in %s', (_, messages) => {
  it('every text of a storefront is translated', () => {
    expect(needed.filter((text) => !messages[text]?.trim())).toEqual([])
  })

  it('there is no unused translation', () => {
    expect(Object.keys(messages).filter((text) => !needed.includes(text))).toEqual([])
  })

  it('every text has the placeholders of the English one', () => {
    const different = Object.entries(messages).filter(
      ([text, translation]) => `${placeholdersOf(text)}` !== `${placeholdersOf(translation)}`,
    )
    expect(different).toEqual([])
  })
})

describe('the texts of the emails', () => {
  const [firstLanguage, ...others] = Object.values<Record<string, string>>(mailMessages)
  const texts = Object.keys(firstLanguage ?? {})

  it('are the same in every language, with the placeholders of the English ones', () => {
    for (const messages of others) expect(Object.keys(messages).sort()).toEqual([...texts].sort())
    for (const [language, messages] of Object.entries<Record<string, string>>(mailMessages))
      expect(
        Object.entries(messages).filter(
          ([text, translation]) =>
            !translation.trim() || `${placeholdersOf(text)}` !== `${placeholdersOf(translation)}`,
        ),
        language,
      ).toEqual([])
  })

  it('are used by some email', () => {
    const folder = 'core/emails'
    const sources = readdirSync(folder).filter((name) => name.endsWith('.ts'))
    const source = sources.map((name) => readFileSync(join(folder, name), 'utf8')).join()
    const plans = products.flatMap((product) =>
      [...termLengths, null].flatMap((termMonths) =>
        planPhrase({ product, termMonths, isRecurring: true }).phrases.map(String),
      ),
    )
    expect(plans.filter((text) => !texts.includes(text))).toEqual([])
    expect(texts.filter((text) => !plans.includes(text) && !source.includes(`'${text}'`))).toEqual([])
  })

  it('that storefronts use too are the same there', () => {
    for (const [language, messages] of Object.entries<Record<string, string>>(messagesIn)) {
      const emails: Record<string, string> = mailMessages[language as keyof typeof messagesIn]
      const shared = texts.filter((text) => messages[text] !== undefined)
      expect(shared.filter((text) => messages[text] !== emails[text])).toEqual([])
    }
  })
})

it('French has a no-break space before a colon, a semicolon, a question mark and an exclamation mark', () => {
  const translations = Object.values<string>({ ...fr, ...mailMessages.fr })
  expect(translations.filter((text) => /[^\u00A0][:;?!](?!\S)/.test(text))).toEqual([])
})

it('every listed sentence occurs in the source word for word', () => {
  const sources = ['core', 'web/app/http'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\\', '')),
  )
  expect(writtenPhrases.filter((phrase) => !sources.some((source) => source.includes(phrase)))).toEqual([])
})
