import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '#core/kernel/languages.ts'
import { spokenTexts, unspokenTexts } from '#tests/support/spoken-texts.ts'
import { coreSentences, writtenSentences } from '#web/app/i18n/core-sentences.ts'

/** Where a page of a storefront gets its words from. */
const spokenIn = [
  'web/app/components/storefront',
  'web/app/components/buyer',
  'web/app/components/layout',
  'web/app/components/ui',
  'web/app/http',
  'web/app/routes/buyer',
  'web/app/routes/storefront',
]

const needed = [...new Set([...spokenTexts(spokenIn), ...coreSentences])].sort()
const others = languages.filter((language) => language !== 'en')

function messagesIn(language: string): Record<string, string> {
  return JSON.parse(readFileSync(`web/app/i18n/messages/${language}.json`, 'utf8'))
}

function slotsOf(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([slot]) => slot).sort()
}

it('finds the words of the pages at all', () => {
  expect(needed.length).toBeGreaterThan(200)
  expect(needed).toEqual(expect.arrayContaining(['Sign in', '{count} countries', 'Prices now in euros', 'Print']))
})

it('no page of a storefront says a word past the translator', () => {
  const ofShopsAlone = spokenIn.filter((folder) => /storefront|buyer/.test(folder))
  expect(unspokenTexts(ofShopsAlone)).toEqual([])
})

describe.each(others)('in %s', (language) => {
  const messages = messagesIn(language)

  it('every text of a storefront is there', () => {
    expect(needed.filter((text) => !messages[text]?.trim())).toEqual([])
  })

  it('nothing is kept that is not said any more', () => {
    expect(Object.keys(messages).filter((text) => !needed.includes(text))).toEqual([])
  })

  it('every text has the slots of the English one', () => {
    const different = Object.entries(messages).filter(([text, said]) => `${slotsOf(text)}` !== `${slotsOf(said)}`)
    expect(different).toEqual([])
  })
})

it('the sentences that are told of the core are in it word for word', () => {
  const sources = ['core', 'web/app/http'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\\', '')),
  )
  const parts = writtenSentences.map((sentence) => sentence.split(/\{\w+\}/))
  expect(parts.filter((those) => !sources.some((source) => those.every((part) => source.includes(part))))).toEqual([])
})
