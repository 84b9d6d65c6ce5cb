import { expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { changeBuyerEmail } from '#core/buyers/change-buyer-email.ts'
import { undoImport } from '#core/imports/undo-import.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { actorOf, operator } from '#tests/support/factories.ts'
import { readerFiles } from '#tests/support/reader-files.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { whileLocked } from '#tests/support/while-locked.ts'

const services = await openTestServices()
const { importInto } = readerFiles(() => services)

/** A subscriber who was removed, and a transaction that restores the record. */
async function makeRemoved(email: string) {
  services.clock.set('2026-11-21T10:00:00Z')
  const shop = await makeShop(services)
  const { orderId } = await placeOrder(services.as(visitor), orderForm(shop, { email }))
  const [reader] = await rowsOf(services, 'readers', shop.id)
  const id = Number(reader?.id)
  const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
  await removeReader(staff, { id })
  const restore = {
    first: `SELECT 1 FROM removed_readers WHERE reader_id = ${id} FOR UPDATE`,
    second: `WITH g AS (DELETE FROM removed_readers WHERE reader_id = ${id} RETURNING record)
      INSERT INTO readers SELECT r.* FROM g, jsonb_populate_record(NULL::readers, CAST(g.record AS jsonb)) r`,
  }
  const buyer = { kind: 'buyer', buyerId: Number(reader?.buyer_id), publicationId: shop.id } as const
  const restored = async () => (await rowsOf(services, 'readers', shop.id))[0]
  return { orderId, staff, restore, buyer: services.as(buyer), restored }
}

it('a refund waits for the restore of its reader, and reverses the term of the restored record', async () => {
  const { orderId: id, staff, restore, restored } = await makeRemoved('refunded@example.test')
  services.clock.set('2026-12-24T10:00:00Z')
  const refund = { id, scope: 'whole', method: 'hand', reason: 'Moved away' }
  const ended = await whileLocked(services, restore, () => refundOrder(staff, refund))
  expect(ended).toMatchObject([null, { state: 'succeeded' }])
  expect(await restored()).toMatchObject({ sub_end_on: '2026-12-24', sub_paid: null })
})

it('a new email waits for the restore of a record of the account, and is in the restored record', async () => {
  const { buyer, restore, restored } = await makeRemoved('before@example.test')
  const change = { email: 'after@example.test', confirmEmail: 'after@example.test', currentPassword: 'masthead' }
  const ended = await whileLocked(services, restore, () => changeBuyerEmail(buyer, change))
  expect(ended).toEqual([null, { email: 'after@example.test' }])
  expect(await restored()).toMatchObject({ email: 'after@example.test' })
})

it('the undo of an import waits for the reversal of a term in a record that it restores', async () => {
  services.clock.set('2026-11-21T10:00:00Z')
  const shop = await makeShop(services)
  const id = await makeReader(services, shop.id)
  const { uploadId } = await importInto(shop, 'UniqueReference,FullName\nN1,New One\n', 'replace')
  const backup = `reader_backups WHERE upload_id = ${uploadId} AND id = ${id}`
  const reversal = {
    first: `SELECT 1 FROM ${backup} FOR UPDATE`,
    second: `UPDATE ${backup.replace('WHERE', `SET sub_end_on = '2026-11-21', version = version + 1 WHERE`)}`,
  }
  const ended = await whileLocked(services, reversal, () => undoImport(services.as(operator), { uploadId }))
  expect(ended).toMatchObject([null, { broughtBack: 1, isFinished: true }])
  expect(await readerRow(services, id)).toMatchObject({ sub_end_on: '2026-11-21' })
})
