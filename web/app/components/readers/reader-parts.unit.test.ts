import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { questionLetters, readerFieldNames } from '#core/readers/reader-fields.rules.ts'
import { AddressPart } from './address-part.tsx'
import { ConsentPart, QuestionsPart } from './consent-part.tsx'
import { NamePart } from './name-part.tsx'
import { RecordPart } from './record-part.tsx'
import { SubscriptionPart } from './subscription-part.tsx'

it('the parts of the reader form have every field of the list, each once', () => {
  const form = { values: {}, errors: {} }
  const questions = questionLetters.map((letter) => ({ letter, question: `${letter}?` }))
  const html = [
    createElement(NamePart, { form, isNew: true }),
    createElement(AddressPart, { form, homeCountry: 'GB', lookUpAt: null, countries: [] }),
    createElement(SubscriptionPart, { form, currency: 'GBP', today: '2026-11-22' }),
    createElement(QuestionsPart, { form, questions }),
    createElement(ConsentPart, { form }),
    createElement(RecordPart, { form }),
  ].map((part) => renderToStaticMarkup(part))
  const names = [...html.join('').matchAll(/ name="(\w+)"/g)].map(([, name]) => name ?? '')
  expect(names.toSorted()).toEqual([...readerFieldNames].toSorted())
})
