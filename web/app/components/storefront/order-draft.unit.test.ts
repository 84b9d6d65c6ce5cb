import { describe, expect, it } from 'vitest'
import { restoreDraft } from './order-draft.ts'

const accountValues = { email: 'ann@example.test', confirmEmail: 'ann@example.test', 'billing.city': 'Falmouth' }
const draft = {
  buyerId: 7,
  accountValues,
  values: { ...accountValues, 'billing.city': 'Truro', mobile: '07700 900123', plan: '1DN29.99', promoCode: 'SPRING' },
  promo: { code: 'SPRING', discountPercent: 25, applicableProducts: {} },
}
const current = { buyerId: 7, accountValues, link: {} }

describe('the draft of an order form', () => {
  it('takes precedence over the account that filled it in', () => {
    expect(restoreDraft(draft, current)).toEqual({
      values: draft.values,
      promo: draft.promo,
      hasTypedValues: true,
      isAccountChanged: false,
    })
  })

  it('takes precedence over its account if an older version stored it', () => {
    const { accountValues: own, ...fields } = draft
    expect(restoreDraft({ ...fields, own }, current).values).toEqual(draft.values)
  })

  it('yields to an account that has changed since', () => {
    const changed = { ...accountValues, email: 'ann.lee@example.test', confirmEmail: 'ann.lee@example.test' }
    expect(restoreDraft(draft, { ...current, accountValues: changed }).values).toEqual({
      ...changed,
      mobile: '07700 900123',
      plan: '1DN29.99',
      promoCode: 'SPRING',
    })
  })

  it('of a visitor keeps what was typed, unless an account that logged in since has the field', () => {
    const typed = { firstName: 'Zoë', mobile: '07700 900123' }
    const { values } = restoreDraft(
      { buyerId: null, values: typed },
      { ...current, accountValues: { ...accountValues, firstName: 'Ann' } },
    )
    expect(values).toEqual({ ...accountValues, firstName: 'Ann', mobile: '07700 900123' })
  })

  it('of another buyer reveals nothing about that buyer', () => {
    expect(restoreDraft(draft, { buyerId: null, accountValues: {}, link: {} })).toEqual({
      values: { plan: '1DN29.99', promoCode: 'SPRING' },
      promo: draft.promo,
      hasTypedValues: false,
      isAccountChanged: true,
    })
  })

  it('yields plan and promo code to a link that names others, and keeps its own with the link it was started from', () => {
    const named = { plan: '1PN', promo: 'AUTUMN' }
    const opened = restoreDraft(draft, { ...current, link: named })
    expect(opened.values).not.toHaveProperty('plan')
    expect(opened.values).not.toHaveProperty('promoCode')
    expect(opened.promo).toBeNull()
    const reloaded = restoreDraft({ ...draft, link: named }, { ...current, link: named })
    expect(reloaded).toMatchObject({ values: { plan: '1DN29.99', promoCode: 'SPRING' }, promo: draft.promo })
  })
})
