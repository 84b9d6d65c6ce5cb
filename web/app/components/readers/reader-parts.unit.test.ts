import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { questionLetters, readerFieldNames } from '#core/readers/reader-fields.rules.ts'
import { FormContext, type FormState } from '../ui/form-context.ts'
import { AddressPart } from './address-part.tsx'
import { ConsentPart, QuestionsPart } from './consent-part.tsx'
import { NamePart } from './name-part.tsx'
import { RecordPart } from './record-part.tsx'
import { SubscriptionPart } from './subscription-part.tsx'

const emptyForm: FormState = {
  values: {},
  errors: {},
  labels: {},
  prefix: '',
  isUnmarked: false,
  isDirty: false,
  isPending: false,
  pendingIntent: null,
  lost: null,
  isRepeatable: false,
}

it('the parts of the reader form contain each field exactly once', () => {
  const questions = questionLetters.map((letter) => ({ letter, question: `${letter}?` }))
  const parts = createElement(
    Fragment,
    null,
    createElement(NamePart, { isNew: true }),
    createElement(AddressPart, { homeCountry: 'GB', lookupPath: null, countries: [] }),
    createElement(SubscriptionPart, { currency: 'GBP', today: '2026-11-22' }),
    createElement(QuestionsPart, { questions }),
    createElement(ConsentPart),
    createElement(RecordPart),
  )
  const html = renderToStaticMarkup(createElement(FormContext.Provider, { value: emptyForm }, parts))
  const names = [...html.matchAll(/ name="(\w+)"/g)].map(([, name]) => name ?? '')
  expect(names.toSorted()).toEqual([...readerFieldNames].toSorted())
})
