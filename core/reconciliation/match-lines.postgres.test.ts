import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { actorOf } from '#tests/support/factories.ts'
import { soldBy, stripeReport } from '#tests/support/provider-reports.ts'
import { makeShop } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { untilBlocked } from '#tests/support/while-locked.ts'
import { getReconciliation } from './get-reconciliation.query.ts'
import { matchLine } from './match-by-hand.ts'
import { matchNext } from './match-lines.ts'
import { readReportFile } from './store-report.ts'

const services = await openTestServices()
const folder = mkdtempSync(join(tmpdir(), 'match-lines-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a line that is matched by hand while a report is matched has its fee entered once', async () => {
  services.clock.now = new Date('2026-10-05T09:30:00Z')
  const shop = await makeShop(services)
  const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
  const file = join(folder, 'report.csv')
  const line = { balance_transaction_id: 'txn_1', reporting_category: 'charge', payment_intent_id: 'pi_1' }
  writeFileSync(file, stripeReport([{ ...line, gross: '29.99', fee: '0.65', net: '29.34' }]))
  await readReportFile(staff, { file, fileName: 'report.csv' })
  const [unmatched] = (await getReconciliation(staff, {})).unmatched
  const { orderNumber } = await soldBy(services, shop, { provider: 'stripe-card', reference: 'pi_1' })

  // Locked until both have read the line and wait: a match reads its lines before it locks the state of the months.
  const holder = await services.db.bulk.postgres()
  await holder.query('BEGIN')
  await holder.query('SELECT id FROM ledger_close_states FOR UPDATE')
  const matching = services.db.transaction(() => matchNext(staff, shop.publisherId, 0))
  await untilBlocked(services, 1)
  const byHand = matchLine(staff, { lineId: unmatched?.id, orderNumber }).catch((error: unknown) => error)
  await untilBlocked(services, 2)
  await holder.query('COMMIT')
  await holder.release()
  await matching
  const refused = await byHand
  const fees = await services.db.query(`SELECT amount FROM ledger_entries WHERE publisher_id = :id AND kind = 'fee'`, {
    id: shop.publisherId,
  })
  expect(fees).toEqual([{ amount: -65 }])
  expect(refused).toMatchObject({ kind: 'conflict', message: 'This line no longer needs to be matched' })
})
