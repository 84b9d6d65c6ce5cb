import { expect, it } from 'vitest'
import { makePublication, operator } from '#tests/support/factories.ts'
import { copyReader, makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { whileLocked } from '#tests/support/while-locked.ts'
import { removeReaders } from './remove-readers.ts'

it('a reader who is being changed while the list is removed is waited for, and stays', async () => {
  const services = await openTestServices()
  const { id: publicationId } = await makePublication(services)
  const first = await makeReader(services, publicationId, { lastName: 'Finch' })
  await copyReader(services, first, 2100)
  const last = await makeReader(services, publicationId, { lastName: 'Finch' })
  const shownAt = services.now()
  services.clock.advance({ minutes: 1 })
  const now = services.now().toISOString()
  const change = `UPDATE readers SET last_name = 'Wren', updated_at = '${now}' WHERE id =`
  const [problem, removal] = await whileLocked(
    services,
    // The reader that the removal waits for is in its last chunk: those of earlier chunks are not locked any more.
    {
      first: `${change} ${last}`,
      second: `SELECT 1 FROM reader_removals WHERE publication_id = ${publicationId} FOR UPDATE`,
    },
    () =>
      removeReaders(services.as(operator), {
        publicationId,
        list: 'all',
        count: 2102,
        shownAt: shownAt.toISOString(),
        isWaiting: true,
      }),
  )
  expect(problem).toBeNull()
  expect(removal).toMatchObject({ state: 'done', removed: 2101, leftAlone: 1 })
  expect(await readerRow(services, first)).toBeUndefined()
  expect(await readerRow(services, last)).toMatchObject({ last_name: 'Wren' })
})
