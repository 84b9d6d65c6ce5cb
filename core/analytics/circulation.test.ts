import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { readerFiles } from '#tests/support/reader-files.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import type { Actor } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { mergeReaders } from '../duplicates/merge-readers.ts'
import { undoMerge } from '../duplicates/undo-merge.ts'
import { undoImport } from '../imports/undo-import.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { formatDay } from '../kernel/dates.ts'
import { isAppError } from '../kernel/errors.ts'
import { Publications } from '../publications/publications.rows.ts'
import { removePublication } from '../publications/remove-publication.ts'
import { addReader } from '../readers/add-reader.ts'
import { deactivateReader } from '../readers/deactivate-reader.ts'
import { editReader } from '../readers/edit-reader.ts'
import { reactivateReader } from '../readers/reactivate-reader.ts'
import { removeReader } from '../readers/remove-reader.ts'
import { restoreReader } from '../readers/restore-reader.ts'
import { subTypes } from '../terms/term.rules.ts'
import { circulation } from './circulation.query.ts'
import { exportCirculation } from './export-circulation.ts'

let services: TestServices
const { importInto } = readerFiles(() => services)

beforeAll(async () => {
  services = await openTestServices()
})

interface Fixture {
  id: number
  urlKey: string
  ctx: AppContext
}

async function newTitle(): Promise<Fixture> {
  const { id, urlKey, publisherId } = await makePublication(services)
  const actor: Actor = await actorOf(services, 'publisher', publisherId)
  return { id, urlKey, ctx: services.as(actor) }
}

const today = () => dayOf(services.clock.now, 'Europe/London')
/** How many readers are current, counted from their records. */
async function countReaders({ id }: Fixture) {
  const rows = await services.db.query<{ sub_type: 'print' | 'digital' | 'bundle'; n: number }>(
    `SELECT sub_type, COUNT(*) AS n FROM readers WHERE publication_id = :id AND NOT is_deleted AND sub_type <> ''
       AND sub_start_on <= :today AND sub_end_on >= :today GROUP BY sub_type`,
    { id, today: today() },
  )
  const countOf = (type: string) => Number(rows.find((row) => row.sub_type === type)?.n ?? 0)
  return { print: countOf('print'), digital: countOf('digital'), bundle: countOf('bundle') }
}

async function readersOf({ id }: Fixture): Promise<number[]> {
  const rows = await services.db.query<{ id: number }>(
    `SELECT id FROM readers WHERE publication_id = :id ORDER BY id`,
    {
      id,
    },
  )
  return rows.map((row) => row.id)
}

const kinds = [
  'add',
  'edit',
  'move',
  'deactivate',
  'reactivate',
  'remove',
  'restore',
  'file added',
  'file combined',
  'file replaces',
  'import undone',
  'merge',
  'merge undone',
] as const

const step = fc.record({
  days: fc.nat({ max: 45 }),
  kind: fc.constantFrom(...kinds),
  which: fc.nat({ max: 1000 }),
  product: fc.constantFrom(...subTypes, '' as const),
  starts: fc.integer({ min: -60, max: 60 }),
  lasts: fc.integer({ min: 0, max: 120 }),
})

/** Makes random changes to a title's readers, and remembers what can be undone. */
function randomChangeTo(fixture: Fixture) {
  const removed: number[] = []
  const uploads: number[] = []
  const merges: number[] = []
  let sequence = 0
  return async ({
    kind,
    which,
    product,
    starts,
    lasts,
  }: Omit<typeof step extends fc.Arbitrary<infer S> ? S : never, 'days'>) => {
    const readers = await readersOf(fixture)
    const id = readers[which % Math.max(1, readers.length)] ?? 0
    const subStartOn = addDays(today(), starts)
    const subEndOn = addDays(subStartOn, lasts)
    const term = { subType: product, subStartOn: formatDay(subStartOn), subEndOn: formatDay(subEndOn) }
    const nextFile = () => {
      const line = (reference: string, type: string, country: string) =>
        `${reference},Reader ${reference},${country},${type},${term.subStartOn},${term.subEndOn}`
      const knownLines = [0, 1, 2].map((n) => line(`F${(which + n) % 8}`, product || 'print', n === 1 ? 'FR' : 'GB'))
      return `UniqueReference,FullName,Country,SubType,SubStart,SubExpiry\n${[...knownLines, line(`N${sequence++}`, 'bundle', 'US')].join('\n')}\n`
    }
    const importFile = async (mode: 'add' | 'combine' | 'replace') => {
      const { uploadId } = await importInto(fixture, nextFile(), mode)
      if (uploadId !== null) uploads.push(uploadId)
    }
    const { ctx, id: publicationId } = fixture
    const actions: Record<(typeof kinds)[number], () => Promise<unknown>> = {
      add: () => addReader(ctx, { publicationId, lastName: `Finch ${sequence++}`, ...term }),
      edit: () => editReader(ctx, { id, ...term, subPaid: which % 2 ? '12.00' : '' }),
      move: () => editReader(ctx, { id, country: which % 2 ? 'Germany' : 'United Kingdom' }),
      deactivate: () => deactivateReader(ctx, { id }),
      reactivate: () => reactivateReader(ctx, { id }),
      remove: async () => removed.push((await removeReader(ctx, { id })).id),
      restore: () => restoreReader(ctx, { id: removed.pop() ?? 0 }),
      'file added': () => importFile('add'),
      'file combined': () => importFile('combine'),
      'file replaces': () => importFile('replace'),
      'import undone': () => undoImport(ctx, { uploadId: uploads.pop() ?? 0 }),
      merge: async () => {
        const readerIds = [id, readers[(which + 1) % Math.max(1, readers.length)] ?? 0]
        merges.push((await mergeReaders(ctx, { publicationId, readerIds })).mergeId ?? 0)
      },
      'merge undone': () => undoMerge(ctx, { mergeId: merges.pop() ?? 0 }),
    }
    await actions[kind]().catch((error: unknown) => {
      // Random changes that are refused for these readers are left out of the history.
      if (!isAppError(error)) throw error
    })
  }
}

describe('circulation', () => {
  it('equals the readers’ records on each day of a random history, and its changes add up between two days', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 22, maxLength: 28 }), async (steps) => {
        services.clock.setDay('2026-11-21')
        const fixture = await newTitle()
        await importInto(
          fixture,
          `UniqueReference,FullName,SubType,SubExpiry\n${[0, 1, 2, 3, 4, 5].map((n) => `F${n},Reader ${n},${subTypes[n % 3]},31/12/2027`).join('\n')}\n`,
          'add',
        )
        const makeChange = randomChangeTo(fixture)
        const recorded = new Map([[today(), await countReaders(fixture)]])
        for (const { days, ...change } of steps) {
          services.clock.setDay(addDays(today(), days))
          await makeChange(change)
          recorded.set(today(), await countReaders(fixture))
        }
        const days = [...recorded.keys()]
        for (const on of days) {
          const { counts } = await circulation(fixture.ctx, { publicationId: fixture.id, on })
          expect([on, counts?.all]).toMatchObject([on, recorded.get(on) ?? {}])
          expect(counts?.countries.reduce((sum, { all }) => sum + all, 0)).toBe(counts?.all.all)
        }
        for (const [index, since] of days.entries()) {
          const on = days[(index * 7 + 3) % days.length] ?? since
          const { change } = await circulation(fixture.ctx, { publicationId: fixture.id, on, since })
          for (const row of change?.products ?? []) {
            const removed = Object.values(row.removed).reduce((sum, n) => sum + n, 0)
            expect(row.opening).toBe(recorded.get(change?.from ?? '')?.[row.product])
            expect(row.closing).toBe(recorded.get(change?.to ?? '')?.[row.product])
            expect([since, on, row.opening + row.added + row.returned + row.movedIn - row.movedOut - removed]).toEqual([
              since,
              on,
              row.closing,
            ])
          }
        }
      }),
      { numRuns: 2 },
    )
  })

  it('lists why readers left, even those who were removed or replaced', async () => {
    services.clock.setDay('2026-11-21')
    const { id, urlKey, ctx } = await newTitle()
    const reader = (fields: object) => makeReader(services, id, { subEndOn: '2027-12-31', ...fields })
    await reader({ subEndOn: '2026-11-25' })
    const deactivated = await reader({ subPaid: 1200 })
    const removed = await reader({ country: 'FR' })
    await reader({ subType: 'digital' })
    services.clock.setDay('2026-11-30')
    await deactivateReader(ctx, { id: deactivated })
    await removeReader(ctx, { id: removed })
    services.clock.setDay('2026-12-05')
    await importInto(
      { urlKey },
      'UniqueReference,FullName,SubType,SubExpiry\nNEW,New One,print,31/12/2027\n',
      'replace',
    )
    const before = await circulation(ctx, { publicationId: id, on: '2026-11-21', spares: 2.5 })
    expect(before.counts?.all).toEqual({ print: 3, digital: 1, bundle: 0, paid: 1, free: 3, all: 4 })
    expect(before.counts?.zones.map(({ zone, copies, spares, order }) => [zone, copies, spares, order])).toEqual([
      ['uk', 2, 1, 3],
      ['europe', 1, 1, 2],
      ['world', 0, 0, 0],
    ])
    expect(before.counts?.bands.map(({ band, all }) => [band, all])).toEqual([
      ['UK', 3],
      ['US', 0],
      ['EU', 1],
    ])
    const { change } = await circulation(ctx, { publicationId: id, since: '2026-11-21' })
    expect(change?.products).toMatchObject([
      { product: 'print', opening: 3, added: 1, removed: { expired: 1, deactivated: 1, removed: 1 }, closing: 1 },
      { product: 'digital', opening: 1, removed: { replaced: 1 }, closing: 0 },
      { product: 'bundle', opening: 0, closing: 0 },
    ])
    const { fileName, chunks } = await exportCirculation(ctx, { publicationId: id, on: '2026-11-21' })
    const text = await textOf(chunks)
    expect(fileName).toMatch(/_21112026_circulation\.csv$/)
    expect(text).toContain('France,FR,Europe,EU,1,0,0,0,1,1,1,,\r\n')
    const changed = await exportCirculation(ctx, { publicationId: id, since: '2026-11-21' })
    const changedText = await textOf(changed.chunks)
    // Numbers that a spreadsheet adds up: a minus sign is not escaped as a formula.
    expect(changedText).toContain(',Expired,,,,-1,0,0,,,-1,,,\r\n')
    expect(changedText).not.toContain("'")
  })

  it('is unknown before recording began', async () => {
    services.clock.setDay('2026-11-21')
    const { id, ctx } = await newTitle()
    await Publications.update(services, { id }, { circulationFrom: '2026-11-21' })
    const unknown = await circulation(ctx, { publicationId: id, on: '2026-11-20' })
    expect(unknown).toMatchObject({ counts: null, notKnown: [{ from: '2026-11-21' }] })
    expect((await circulation(ctx, { on: '2026-11-21', since: '2026-11-20' })).change).toMatchObject({ products: null })
    await expect(exportCirculation(ctx, { on: '2026-11-20' })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(exportCirculation(ctx, { on: '2026-11-21', since: '2026-11-20' })).rejects.toMatchObject({
      kind: 'conflict',
      message: 'Circulation on 20/11/2026 is not known',
    })
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(circulation(stranger, { publicationId: id })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('counts a removed title when that title is chosen, but not among all titles', async () => {
    const fixture = await newTitle()
    await makeReader(services, fixture.id, { subEndOn: '2100-01-01' })
    await removePublication(fixture.ctx, { id: fixture.id })
    expect(await circulation(fixture.ctx, { publicationId: fixture.id })).toMatchObject({ counts: { all: { all: 1 } } })
    expect(await circulation(fixture.ctx, {})).toMatchObject({ title: 'All titles', counts: { all: { all: 0 } } })
  })
})
