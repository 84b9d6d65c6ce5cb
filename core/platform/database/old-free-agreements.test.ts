import { expect, it } from 'vitest'
import { PaymentAgreements } from '#core/agreements/payment-agreements.rows.ts'
import { Renewals } from '#core/agreements/renewals.rows.ts'
import { addOldPublication, addOldRow } from '#tests/support/old-rows.ts'
import { openMigratedServices } from '#tests/support/test-services.ts'

it('agreements stored for a free first term end, with their open renewals, and no others do', async () => {
  const ids = new Map<string, number>()
  const services = await openMigratedServices('130-free-agreements', async (db) => {
    const publication = { publication_id: await addOldPublication(db) }
    const [{ publisher_id } = { publisher_id: 0 }] = await db.query<{ publisher_id: number }>(
      `SELECT publisher_id FROM publications`,
    )
    const buyer = await addOldRow(db, 'buyers', publication)
    for (const [provider, state] of [
      ['free', 'planned'],
      ['free', 'waiting'],
      ['free', 'charging'],
      ['free', 'paid'],
      ['demo', 'planned'],
    ] as const) {
      const order_number = `${provider}-${state}`
      const order = await addOldRow(db, 'orders', {
        ...publication,
        publisher_id,
        order_number,
        idempotency_key: order_number,
      })
      const agreement_id = await addOldRow(db, 'payment_agreements', {
        ...publication,
        buyer_id: buyer,
        order_id: order,
        provider,
        state: 'active',
        currency: 'GBP',
      })
      await addOldRow(db, 'renewals', {
        ...publication,
        publisher_id,
        agreement_id,
        state,
        next_try_on: '2026-12-01',
        currency: 'GBP',
      })
      ids.set(order_number, agreement_id)
    }
  })
  const agreementAndRenewal = async (name: string) => {
    const id = ids.get(name) ?? 0
    return [await PaymentAgreements.find(services, { id }), await Renewals.find(services, { agreementId: id })]
  }
  for (const name of ['free-planned', 'free-waiting'])
    expect(await agreementAndRenewal(name), name).toMatchObject([
      { state: 'ended', endReason: 'free', endedAt: expect.any(Date) },
      { state: 'cancelled', nextTryOn: null, settledAt: expect.any(Date) },
    ])
  // An attempt that is under way is settled when its provider responds.
  expect(await agreementAndRenewal('free-charging')).toMatchObject([
    { state: 'ended' },
    { state: 'charging', settledAt: null },
  ])
  expect(await agreementAndRenewal('free-paid')).toMatchObject([{ state: 'ended' }, { state: 'paid' }])
  expect(await agreementAndRenewal('demo-planned')).toMatchObject([
    { state: 'active', endReason: null, endedAt: null },
    { state: 'planned', nextTryOn: '2026-12-01' },
  ])
  const ended = await PaymentAgreements.find(services, { id: ids.get('free-planned') ?? 0 })
  expect(ended?.endedAt?.getTime()).toBeGreaterThan(ended?.createdAt.getTime() ?? Number.NaN)
})
