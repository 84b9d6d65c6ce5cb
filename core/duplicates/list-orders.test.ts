import { beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import { readersChanged } from '#core/readers/reader-editions.rows.ts'
import type { ReaderRow } from '#core/readers/readers.rows.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { warningCondition } from '../warnings/list-conditions.ts'
import { listWarning } from '../warnings/list-warning.query.ts'
import { duplicateLists, listDays, warnings } from '../warnings/warnings.rules.ts'
import { listDuplicates } from './list-duplicates.query.ts'

const services = await openTestServices()
let publicationId: number
let ctx: AppContext

beforeEach(async () => {
  const publication = await makePublication(services)
  publicationId = publication.id
  ctx = services.as(await actorOf(services, 'publisher', publication.publisherId))
})

const addReader = (fields: Partial<ReaderRow>) => makeReader(services, publicationId, fields)

interface Row extends Record<string, unknown> {
  id: number
}

/** The readers that match a condition, by a query without paging. */
const readersWhere = (where: string) =>
  services.db.query<Row>(`SELECT * FROM readers WHERE publication_id = :publicationId AND ${where} ORDER BY id`, {
    publicationId,
    ...listDays('2026-11-21'),
  })

const byBytes = (a: unknown, b: unknown) => Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))

const sortColumns = {
  name: ['key_name', 'key_post_code'],
  surname: ['key_surname', 'key_post_code'],
  companyName: ['key_company'],
  postCode: ['key_post_code', 'key_address'],
  email: ['key_email'],
  reference: ['unique_reference'],
  ends: ['sub_end_on'],
  added: [],
}

function sorted(rows: Row[], columns: readonly string[], isDescending: boolean): number[] {
  const sign = isDescending ? -1 : 1
  const isBlank = (row: Row) => (columns[0] !== undefined && row[columns[0]] === '' ? 1 : 0)
  const compare = (a: Row, b: Row) => {
    if (isBlank(a) !== isBlank(b)) return isBlank(a) - isBlank(b)
    for (const column of columns) {
      const difference = byBytes(a[column], b[column])
      if (difference !== 0) return sign * difference
    }
    return sign * (a.id - b.id)
  }
  return rows.toSorted(compare).map(({ id }) => id)
}

describe('a list in any order', () => {
  it('equals the full sorted list, page by page', async () => {
    for (let n = 0; n < 60; n++)
      await addReader({
        fullName: n % 3 === 0 ? '' : `Name ${(n * 7) % 20}`,
        firstName: n % 5 === 0 ? '' : 'Ann',
        lastName: n % 7 === 0 ? '' : `Surname ${(n * 11) % 9}`,
        companyName: n % 2 === 0 ? 'Harbour Trust' : n % 9 === 1 ? '' : `Company ${n % 4}`,
        postCode: n < 40 ? '' : `PL23 1A${'ABDEF'[n % 5]}`,
        addressOne: n % 4 === 0 ? '' : `${n % 6} Quay`,
        email: n % 3 === 1 ? '' : `e${(n * 13) % 17}@example.org`,
        // The expired readers are those added last.
        subEndOn: n < 35 ? '2028-01-01' : `2026-1${n % 2}-0${1 + (n % 8)}`,
        isDeleted: n % 13 === 12,
      })
    for (const warning of warnings) {
      const rows = await readersWhere(warningCondition(services.db, warning))
      for (const [sort, columns] of Object.entries(sortColumns))
        for (const isDescending of [false, true]) {
          const ids: number[] = []
          for (let page = 1, pages = 1; page <= pages; page++) {
            const input = { publicationId, list: warning.key, sort: isDescending ? `-${sort}` : sort, page, size: 10 }
            const shown = await listWarning(ctx, input)
            pages = shown.pages
            ids.push(...shown.rows.map(({ id }) => id))
          }
          expect(ids, `${warning.key} by ${isDescending ? '-' : ''}${sort}`).toEqual(
            sorted(rows, columns, isDescending),
          )
        }
    }
  })
})

describe('duplicates, the largest first', () => {
  const queryOf = (list: string, page = 1) => ({ publicationId, list, sort: '-count', page, size: 10 })
  const addDuplicates = async () => {
    for (let n = 0; n < 80; n++)
      await addReader({
        fullName: `Name ${n % 11}`,
        lastName: `Name ${n % 7}`,
        postCode: n % 4 === 0 ? 'PL23 1AT' : `EX1 ${n % 9}AA`,
        addressOne: `${n % 3} Quay`,
        email: n % 6 === 0 ? '' : `e${(n * 13) % 17}@example.org`,
        isDeleted: n % 19 === 18,
      })
  }

  it('equal all groups counted directly, with their first readers', async () => {
    await addDuplicates()
    for (const { key, keys } of duplicateLists) {
      const groups = new Map<string, Row[]>()
      const hasEveryKey = keys.map((column) => `${column} <> ''`).join(' AND ')
      for (const row of await readersWhere(
        `${hasEveryKey} AND is_deleted = ${services.db.dialect === 'sqlite' ? 0 : false}`,
      )) {
        const groupKey = JSON.stringify(keys.map((column) => row[column]))
        groups.set(groupKey, [...(groups.get(groupKey) ?? []), row])
      }
      const memberOrder = keys.length === 1 && keys[0] === 'key_post_code' ? ['key_address'] : []
      const expected = [...groups]
        .filter(([, rows]) => rows.length > 1)
        .sort(([a, { length: many }], [b, { length: few }]) => few - many || byBytes(a, b))
        .map(([name, rows]) => ({
          keys: JSON.parse(name) as string[],
          count: rows.length,
          ids: sorted(rows, memberOrder, false).slice(0, 20),
        }))
      const shown = []
      for (let page = 1, pages = 1; page <= pages; page++) {
        const result = await listDuplicates(ctx, queryOf(key, page))
        pages = result.pages
        expect(result.total).toBe(expected.length)
        shown.push(...result.rows.map(({ readers, ...group }) => ({ ...group, ids: readers.map(({ id }) => id) })))
      }
      expect(shown, key).toEqual(expected)
    }
  })

  it('are cached until the readers change', async () => {
    await addDuplicates()
    const list = 'duplicatepostcode'
    const before = await listDuplicates(ctx, queryOf(list))
    expect(before.rows[0]).toMatchObject({ keys: ['PL231AT'], count: 19 })
    // Changes the table directly, so the cached sizes are not invalidated.
    await services.db.run(
      `UPDATE readers SET key_post_code = 'AB101AA' WHERE publication_id = :publicationId AND key_post_code = 'PL231AT'`,
      { publicationId },
    )
    expect((await listDuplicates(ctx, queryOf(list))).rows.map(({ count }) => count)).toEqual(
      before.rows.map(({ count }) => count),
    )
    await services.db.transaction(() => readersChanged(services.db, publicationId))
    expect((await listDuplicates(ctx, queryOf(list))).rows[0]).toMatchObject({ keys: ['AB101AA'], count: 19 })
  })
})
