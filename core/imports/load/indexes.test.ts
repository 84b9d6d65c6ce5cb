import { beforeAll, describe, expect, it } from 'vitest'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { dropReaderIndexes, ensureReaderIndexes } from './indexes.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

async function definitions(): Promise<{ name: string; text: string }[]> {
  const rows = await services.db.query<{ name: string; text: string }>(
    services.db.dialect === 'sqlite'
      ? `SELECT name, sql AS text FROM sqlite_master WHERE type = 'index' AND tbl_name = 'readers' AND sql IS NOT NULL ORDER BY name`
      : `SELECT indexname AS name, indexdef AS text FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'readers' ORDER BY 1`,
  )
  return rows.map(({ name, text }) => ({ name, text: text.replace('IF NOT EXISTS ', '') }))
}

describe('the key indexes of readers', () => {
  it('are rebuilt exactly as the migrations created them', async () => {
    const before = await definitions()
    expect(await dropReaderIndexes(services.db, 1, 1_000_000)).toBe(true)
    const remaining = await definitions()
    const built = await ensureReaderIndexes(services.db)
    expect(before.length).toBe(remaining.length + built.length)
    expect(built.length).toBeGreaterThan(5)
    expect(await definitions()).toEqual(before)
    expect(await ensureReaderIndexes(services.db)).toEqual([])
  })
})
