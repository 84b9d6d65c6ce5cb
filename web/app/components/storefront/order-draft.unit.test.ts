import { describe, expect, it } from 'vitest'
import { restoreDraft } from './order-draft.ts'

const accountValues = { email: 'ann@example.test', confirmEmail: 'ann@example.test', 'billing.city': 'Falmouth' }
const draft = {
  buyerId: 7,
  accountValues,
  values: { ...accountValues, 'billing.city': 'Truro', mobile: '07700 900123', plan: '1DN29.99', promoCode: 'SPRING' },
  promo: { code: 'SPRING', discountPercent: 25, applicableProducts: {} },
}
const now = { buyerId: 7, accountValues, link: {} }

describe('the draft of an order form', () => {
  it('is newer than the account that filled it in', () => {
    expect(restoreDraft(draft, now)).toEqual({ values: draft.values, promo: draft.promo, hasTypedValues: true })
  })

  it('is newer than its account when a version before wrote it', () => {
    const { accountValues: own, ...before } = draft
    expect(restoreDraft({ ...before, own }, now).values).toEqual(draft.values)
  })

  it('is older than an account that has changed since', () => {
    const changed = { ...accountValues, email: 'ann.lee@example.test', confirmEmail: 'ann.lee@example.test' }
    expect(restoreDraft(draft, { ...now, accountValues: changed }).values).toEqual({
      ...changed,
      mobile: '07700 900123',
      plan: '1DN29.99',
      promoCode: 'SPRING',
    })
  })

  it('of a visitor keeps what was typed, under the details of the account logged in since', () => {
    const typed = { firstName: 'Zoë', mobile: '07700 900123' }
    const { values } = restoreDraft(
      { buyerId: null, values: typed },
      { ...now, accountValues: { ...accountValues, firstName: 'Ann' } },
    )
    expect(values).toEqual({ ...accountValues, firstName: 'Ann', mobile: '07700 900123' })
  })

  it('of another reader gives away nothing of that reader', () => {
    expect(restoreDraft(draft, { buyerId: null, accountValues: {}, link: {} })).toEqual({
      values: { plan: '1DN29.99', promoCode: 'SPRING' },
      promo: draft.promo,
      hasTypedValues: false,
    })
  })

  it('leaves plan and code to a link that names others, and keeps its own under the link that it was begun by', () => {
    const named = { plan: '1PN', promo: 'AUTUMN' }
    const opened = restoreDraft(draft, { ...now, link: named })
    expect(opened.values).not.toHaveProperty('plan')
    expect(opened.values).not.toHaveProperty('promoCode')
    expect(opened.promo).toBeNull()
    const reloaded = restoreDraft({ ...draft, link: named }, { ...now, link: named })
    expect(reloaded).toMatchObject({ values: { plan: '1DN29.99', promoCode: 'SPRING' }, promo: draft.promo })
  })
})
