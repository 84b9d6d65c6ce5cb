import { beforeAll, expect, it } from 'vitest'
import { awaitAll } from '#core/database.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
  await services.db.run('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)')
})

const listNotes = () => services.db.query<{ id: number; text: string }>('SELECT id, text FROM notes ORDER BY id')
const add = (id: number, text = '') => services.db.run('INSERT INTO notes (id, text) VALUES (:id, :text)', { id, text })

it('batched statements run in order, and each returns its own result', async () => {
  const { db } = services
  const results = await db.transaction(() =>
    awaitAll(
      add(1, "it's; -- one"),
      db.query('SELECT id, text FROM notes'),
      db.run(`UPDATE notes SET text = 'two' WHERE id = :id -- the last`, { id: 1 }),
      db.run(`UPDATE notes SET text = '' WHERE id = 99`),
      db.query(`INSERT INTO notes (id, text) VALUES (2, 'three') RETURNING id`),
    ),
  )
  expect(results).toEqual([1, [{ id: 1, text: "it's; -- one" }], 1, 0, [{ id: 2 }]])
  expect(await listNotes()).toEqual([
    { id: 1, text: 'two' },
    { id: 2, text: 'three' },
  ])
})

it('a failing statement rolls the whole transaction back, and reports the error', async () => {
  const { db } = services
  const before = await listNotes()
  const failing = db.transaction(() => awaitAll(add(11), add(1), add(12)))
  await expect(failing).rejects.toMatchObject({ name: 'SequelizeUniqueConstraintError' })
  expect(await listNotes()).toEqual(before)
  // The connection is still usable.
  await db.transaction(() => add(13))
  expect(await listNotes()).toHaveLength(before.length + 1)
})

it('statements of two concurrent transactions stay separate', async () => {
  const { db } = services
  const broken = db.transaction(async () => {
    await awaitAll(add(21), add(22))
    throw new Error('rolled back')
  })
  const [first, second] = await Promise.allSettled([broken, db.transaction(() => awaitAll(add(31), add(32)))])
  expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled'])
  expect((await listNotes()).map(({ id }) => id).filter((id) => id > 20)).toEqual([31, 32])
})
