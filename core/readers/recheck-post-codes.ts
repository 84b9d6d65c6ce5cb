import type { Database } from '../database.ts'
import { countryCodes } from '../kernel/countries.ts'
import { postalZone } from '../kernel/postal-zones.rules.ts'
import { livePostcodeFile } from '../postcodes/live-file.query.ts'
import { postCodeState } from '../postcodes/post-code.rules.ts'
import { isOutsidePostcodeFiles } from '../postcodes/postcode-cell.rules.ts'
import { homeCountryOf } from './home-country.query.ts'
import { readersChanged } from './reader-editions.rows.ts'
import { approvePostCodes, checkPostCodes } from './readers.rows.ts'

/** Readers per transaction: few enough that locks are short. */
const chunkSize = 20_000
const ukCodes = countryCodes.filter((code) => postalZone(code) === 'uk')

interface Recheck {
  publicationId: number
  /** Only these readers. */
  ids?: readonly number[]
  /** Called after each chunk with the number of readers checked. */
  onProgress?: (readers: number) => void
}

/**
 * Compares the readers of a publication with its postcode file: valid British postcodes that are not in it are queried, the others are not.
 * Without a file, only the pattern of the postcode decides. Returns how many readers changed; a publication that never had a file costs one query.
 */
export async function recheckPostCodes(db: Database, { publicationId, ids, onProgress }: Recheck): Promise<number> {
  const file = await livePostcodeFile(db, publicationId)
  if (file === undefined) return 0
  const { homeCountry, countries } = await ukCountriesOf(db, publicationId)
  let changed = 0
  let checked = 0
  for (let after = 0; ; ) {
    const next = await nextChunk(db, { publicationId, ids, after, onlyQueried: file === null })
    if (next.count === 0) return changed
    const chunk = { publicationId, ids, after, upTo: next.last, countries, homeCountry }
    changed += file ? await checkByFile(db, chunk, file.id) : await approveValid(db, chunk)
    after = next.last
    checked += next.count
    onProgress?.(checked)
  }
}

/** How many readers a file with these postcodes would change, without changing them. */
export async function countRecheck(
  db: Database,
  { publicationId, isValid }: { publicationId: number; isValid: (key: string) => boolean },
): Promise<number> {
  const { countries } = await ukCountriesOf(db, publicationId)
  let changed = 0
  for (let after = 0; ; ) {
    const rows = await db.query<{ id: number; key: string; state: string }>(
      `SELECT id, key_post_code AS key, post_code_state AS state FROM readers
       WHERE publication_id = :publicationId AND id > :after AND key_post_code <> '' AND country IN (:countries)
       ORDER BY id LIMIT ${chunkSize}`,
      { publicationId, after, countries },
    )
    for (const { key, state } of rows)
      if (!isOutsidePostcodeFiles(key) && state !== (isValid(key) ? 'ok' : 'queried')) changed++
    if (rows.length < chunkSize) return changed
    after = Number(rows.at(-1)?.id)
  }
}

/** The countries whose postcodes a file holds; readers without a country live in the publisher's own. */
async function ukCountriesOf(
  db: Database,
  publicationId: number,
): Promise<{ homeCountry: string; countries: string[] }> {
  const homeCountry = await homeCountryOf({ db }, publicationId)
  return { homeCountry, countries: postalZone(homeCountry) === 'uk' ? [...ukCodes, ''] : ukCodes }
}

/** The next readers to check: without a file, only queried ones can change. */
async function nextChunk(
  db: Database,
  {
    publicationId,
    ids,
    after,
    onlyQueried,
  }: { publicationId: number; ids: readonly number[] | undefined; after: number; onlyQueried: boolean },
) {
  const [row] = await db.query<{ count: number; last: number | null }>(
    `SELECT count(*) AS count, max(id) AS last FROM (
       SELECT id FROM readers WHERE publication_id = :publicationId AND id > :after
       ${ids ? 'AND id IN (:ids)' : ''} ${onlyQueried ? `AND post_code_state = 'queried'` : ''} ORDER BY id LIMIT ${chunkSize}) chunk`,
    { publicationId, after, ...(ids ? { ids: [...ids] } : {}) },
  )
  return { count: Number(row?.count ?? 0), last: Number(row?.last ?? 0) }
}

interface Chunk {
  publicationId: number
  ids: readonly number[] | undefined
  after: number
  upTo: number
  countries: readonly string[]
  homeCountry: string
}

function checkByFile(
  db: Database,
  { publicationId, ids, after, upTo, countries }: Chunk,
  fileId: number,
): Promise<number> {
  return db.transaction(async () => {
    const changed = await checkPostCodes({ db }, { publicationId, ids, after, upTo, countries, fileId })
    if (changed > 0) await readersChanged(db, publicationId)
    return changed
  })
}

/** Postcodes that do not have the pattern of their country stay queried; SQL cannot check it. */
function approveValid(
  db: Database,
  { publicationId, ids, after, upTo, countries, homeCountry }: Chunk,
): Promise<number> {
  return db.transaction(async () => {
    const rows = await db.query<{ id: number; post_code: string; country: string }>(
      `SELECT id, post_code, country FROM readers WHERE publication_id = :publicationId AND id > :after AND id <= :upTo
         ${ids ? 'AND id IN (:ids)' : ''} AND post_code_state = 'queried' AND country IN (:countries)`,
      { publicationId, after, upTo, countries, ...(ids ? { ids: [...ids] } : {}) },
    )
    const valid = rows.filter(({ post_code, country }) => postCodeState(post_code, country || homeCountry) === 'ok')
    await approvePostCodes(
      { db },
      valid.map(({ id }) => id),
    )
    if (valid.length > 0) await readersChanged(db, publicationId)
    return valid.length
  })
}
