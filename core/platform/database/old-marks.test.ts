import { expect, it } from 'vitest'
import { AddressMarks } from '#core/bounces/address-marks.rows.ts'
import { addOldRow } from '#tests/support/old-rows.ts'
import { openMigratedServices } from '#tests/support/test-services.ts'

it('marks of a release with one column for both distinguish a delivery from an address that was reset to be tried again', async () => {
  const sentAt = '2026-11-21T10:00:00.000Z'
  const triedAt = '2026-11-22T10:00:00.000Z'
  const services = await openMigratedServices('125-delivered-marks', async (db) => {
    for (const [name, resetAt] of [
      ['delivered', sentAt],
      ['tried', triedAt],
    ] as const) {
      const address = { publisher_id: 1, address_key: `${name}@example.net` }
      await addOldRow(db, 'address_marks', { ...address, reset_at: resetAt })
      const event = { event_key: name, kind: 'delivered', email_id: 1, mail_sent_at: sentAt, happened_at: triedAt }
      await addOldRow(db, 'delivery_events', { ...address, ...event })
    }
  })
  const markOf = (name: string) => AddressMarks.find(services, { publisherId: 1, addressKey: `${name}@example.net` })
  expect(await markOf('delivered')).toMatchObject({ deliveredAt: new Date(sentAt), resetAt: null })
  expect(await markOf('tried')).toMatchObject({ deliveredAt: null, resetAt: new Date(triedAt) })
})
