import type { Database } from '#core/database.ts'
import type { OpenCopy } from '#core/ports/bulk.ts'
import type { PostcodeLoad } from '#core/ports/postcode-load.ts'
import { throwFullDisk } from './full-disk.ts'

/** Opens a load of the postcodes of one file, also if an earlier load of it was interrupted. */
export function openPostcodeLoad(db: Database, fileId: number): Promise<PostcodeLoad> {
  return db.dialect === 'sqlite' ? sqliteLoad(db, fileId) : postgresLoad(db, fileId)
}

/**
 * Each chunk is one parameter: a list of ten thousand values would take longer to parse than to insert. It is also one
 * transaction, so that locks are short.
 */
async function sqliteLoad(db: Database, fileId: number): Promise<PostcodeLoad> {
  return {
    async add(codes) {
      await db.run(
        `INSERT INTO postcodes (file_id, post_code) SELECT :fileId, value FROM json_each(:codes) WHERE true ON CONFLICT DO NOTHING`,
        { fileId, codes: JSON.stringify(codes) },
      )
    },
    async finish() {},
    async close() {},
  }
}

/** COPY into a temporary table, then one insert in index order: pages are filled one after the other and logged once. */
async function postgresLoad(db: Database, fileId: number): Promise<PostcodeLoad> {
  const client = await db.bulk.postgres()
  let copy: OpenCopy | undefined
  try {
    await client.query('CREATE TEMP TABLE postcode_stage (post_code VARCHAR(10) COLLATE "C" NOT NULL)')
    copy = client.copyIn('COPY postcode_stage FROM STDIN')
  } catch (error) {
    await client.release(false)
    throw error
  }
  const { write, end, abort } = copy
  let isCopying = true
  let isDone = false
  async function finish(): Promise<void> {
    isCopying = false
    await end()
    await client.query('BEGIN')
    // Nearly all codes are different: a hash table would spill to disk in a hundred batches where a sort needs two.
    await client.query(`SET LOCAL work_mem = '64MB'; SET LOCAL enable_hashagg = off`)
    // Rows of an interrupted run are deleted first: a conflict check for each row would cost more than writing it.
    await client.query('DELETE FROM postcodes WHERE file_id = $1', [fileId])
    await client.query(
      `INSERT INTO postcodes (file_id, post_code) SELECT DISTINCT $1::bigint, post_code FROM postcode_stage ORDER BY post_code`,
      [fileId],
    )
    await client.query('DROP TABLE postcode_stage')
    await client.query('COMMIT')
    isDone = true
  }
  return {
    add: (codes) => write(`${codes.join('\n')}\n`).catch(throwFullDisk),
    finish: () => finish().catch(throwFullDisk),
    async close() {
      if (isCopying) await abort(new Error('The import of the postcode file was ended'))
      // An interrupted run leaves its temporary table behind: it is dropped with the connection.
      await client.release(isDone)
    },
  }
}
