import { expect, it } from 'vitest'
import { type FirstRunFacts, firstRunItems } from './first-run.rules.ts'

const newPublisher: FirstRunFacts = {
  title: null,
  hasDraft: false,
  isPriced: false,
  isFree: false,
  takesPayments: false,
  isPreviewed: false,
  isTestOrdered: false,
  isShared: false,
  mayEnterKeys: true,
  publisherName: 'Ada Tester',
}
const title = { id: 7, urlKey: 'the-gardener' }
const linksOf = (facts: Partial<FirstRunFacts>) =>
  Object.fromEntries(
    firstRunItems({ ...newPublisher, ...facts }).map(({ step, to, isDone }) => [step, isDone ? 'done' : to]),
  )

it('begins with a title, which needs no payment keys', () => {
  expect(linksOf({})).toEqual({
    title: '/addpublication',
    prices: null,
    keys: '/account#payments',
    preview: null,
    test: null,
    share: null,
  })
  expect(firstRunItems(newPublisher).map(({ waitsFor }) => waitsFor)).toEqual([
    null,
    'title',
    null,
    'title',
    'title',
    'title',
  ])
})

it('links to the prices of a draft title', () => {
  expect(linksOf({ hasDraft: true })).toMatchObject({ title: '/addpublication', prices: '/addpublication/prices' })
})

it('links to the title’s pages; a test order needs prices first', () => {
  expect(linksOf({ title })).toEqual({
    title: 'done',
    prices: '/editpublication/7/prices',
    keys: '/account#payments',
    preview: '/publications/7/preview',
    test: null,
    share: '/the-gardener',
  })
  expect(linksOf({ title, isPriced: true })).toMatchObject({ prices: 'done', test: '/publications/7/preview#choose' })
})

it('needs no payment keys when everything is free', () => {
  expect(linksOf({ title, isPriced: true, isFree: true })).toMatchObject({ keys: 'done' })
})

it('names the person who may enter payment keys to users who may not', () => {
  const [, , keys] = firstRunItems({ ...newPublisher, mayEnterKeys: false })
  expect(keys).toMatchObject({ step: 'keys', to: null, whoMay: 'Ada Tester', isDone: false })
})

it('has no step left once all are done', () => {
  const allDone = { isPriced: true, takesPayments: true, isPreviewed: true, isTestOrdered: true, isShared: true }
  expect(firstRunItems({ ...newPublisher, title, ...allDone }).every(({ isDone }) => isDone)).toBe(true)
})
