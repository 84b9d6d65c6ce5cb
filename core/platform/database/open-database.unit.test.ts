import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from './open-database.ts'

it('creates the folder of a new SQLite file, accessible only to the user of the service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-open-'))
  try {
    const db = await openDatabase(`sqlite:${folder}/data/of/shop/masthead.db`)
    await db.run(`CREATE TABLE words (word TEXT)`)
    await db.close()
    const permissions = (path: string) => statSync(join(folder, path)).mode & 0o777
    expect(permissions('data/of/shop')).toBe(0o700)
    expect(permissions('data/of/shop/masthead.db')).toBe(0o600)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
