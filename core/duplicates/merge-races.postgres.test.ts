import { expect, it } from 'vitest'
import { makePublication, operator } from '#tests/support/factories.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { withRunningWorker } from '#tests/support/worker.ts'
import { mergeExact } from './merge-exact.ts'
import { undoMerges } from './undo-merges.ts'

async function makePair(services: TestServices, publicationId: number, lastName: string) {
  const same = { firstName: 'Ann', lastName, fullName: `Ann ${lastName}`, postCode: 'PL23 1AT' }
  return [await makeReader(services, publicationId, same), await makeReader(services, publicationId, same)] as const
}

/** Waits until one connection waits for a lock of another. */
async function expectWaiting({ db }: TestServices) {
  const waiting = () =>
    db.query(`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
  await expect.poll(waiting, { timeout: 60_000, interval: 5 }).toHaveLength(1)
}

it('a group with a reader who is edited during the merge of a list is left out, and the other groups are merged', async () => {
  const services = await openTestServices()
  const { id: publicationId } = await makePublication(services)
  const edited = await makePair(services, publicationId, 'Lee')
  const unedited = await makePair(services, publicationId, 'Reed')
  const editor = await services.db.bulk.postgres()
  await editor.query('BEGIN')
  await editor.query(
    `UPDATE readers SET full_name = 'Bo Lee', key_name = 'bo lee', version = version + 1 WHERE id = ${edited[0]}`,
  )
  const merging = mergeExact(services.as(operator), { publicationId, list: 'duplicatefullname' })
  await expectWaiting(services)
  await editor.query('COMMIT')
  await editor.release()
  expect(await merging).toMatchObject({ groups: 2, merged: 1, left: 1, removed: 1 })
  for (const id of edited) expect(await readerRow(services, id)).toBeDefined()
  expect((await Promise.all(unedited.map((id) => readerRow(services, id)))).filter(Boolean)).toHaveLength(1)
})

it('the undo of a bulk merge locks its readers in the order of everything else, so that neither ends in a deadlock', async () => {
  const services = await openTestServices()
  const { id: publicationId } = await makePublication(services)
  const [low] = await makePair(services, publicationId, 'Lee')
  const [high] = await makePair(services, publicationId, 'Reed')
  const { batchId } = await mergeExact(services.as(operator), { publicationId, list: 'duplicatefullname' })
  const editor = await services.db.bulk.postgres()
  await editor.query('BEGIN')
  await editor.query(`SELECT id FROM readers WHERE id = ${low} FOR UPDATE`)
  await undoMerges(services.as(operator), { batchId })
  await withRunningWorker(services, async () => {
    await expectWaiting(services)
    await editor.query(`SELECT id FROM readers WHERE id = ${high} FOR UPDATE NOWAIT`)
    await editor.query('COMMIT')
    await editor.release()
    const undone = () => services.db.query(`SELECT id FROM reader_merges WHERE undone_at IS NOT NULL`)
    await expect.poll(undone).toHaveLength(2)
  })
})
