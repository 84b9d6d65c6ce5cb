import { expect, it } from 'vitest'
import { type FirstRunFacts, firstRunItems } from './first-run.rules.ts'

const nothing: FirstRunFacts = {
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
const places = (facts: Partial<FirstRunFacts>) =>
  Object.fromEntries(
    firstRunItems({ ...nothing, ...facts }).map(({ step, to, isDone }) => [step, isDone ? 'done' : to]),
  )

it('begins with a title, and needs no keys for that', () => {
  expect(places({})).toEqual({
    title: '/addpublication',
    prices: null,
    keys: '/account#payments',
    preview: null,
    test: null,
    share: null,
  })
  expect(firstRunItems(nothing).map(({ waitsFor }) => waitsFor)).toEqual([
    ...[null, 'title', null, 'title', 'title', 'title'],
  ])
})

it('leads to the prices of a title in preparation', () => {
  expect(places({ hasDraft: true })).toMatchObject({ title: '/addpublication', prices: '/addpublication/prices' })
})

it('leads to the title’s pages, and a test purchase needs prices first', () => {
  expect(places({ title })).toEqual({
    title: 'done',
    prices: '/editpublication/7/prices',
    keys: '/account#payments',
    preview: '/publications/7/preview',
    test: null,
    share: '/the-gardener',
  })
  expect(places({ title, isPriced: true })).toMatchObject({ prices: 'done', test: '/publications/7/preview#choose' })
})

it('asks for no keys where everything is free', () => {
  expect(places({ title, isPriced: true, isFree: true })).toMatchObject({ keys: 'done' })
})

it('names who may enter keys to users who may not', () => {
  const [, , keys] = firstRunItems({ ...nothing, mayEnterKeys: false })
  expect(keys).toMatchObject({ step: 'keys', to: null, whoMay: 'Ada Tester', isDone: false })
})

it('has nothing left once all is done', () => {
  const all = { isPriced: true, takesPayments: true, isPreviewed: true, isTestOrdered: true, isShared: true }
  expect(firstRunItems({ ...nothing, title, ...all }).every(({ isDone }) => isDone)).toBe(true)
})
