import { beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import { asJson } from '#core/database.ts'
import { PostcodeFiles } from '#core/postcode-files/postcode-files.rows.ts'
import { deriveReader } from '#core/readers/reader-keys.rules.ts'
import type { ReaderRow } from '#core/readers/readers.rows.ts'
import { actorOf, makePublication, operator } from '#tests/support/factories.ts'
import { copyReader, makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'
import { countWarnings } from '../warnings/count-warnings.query.ts'
import { clearOldFixes } from './clear-old-fixes.ts'
import { fixReaderAddress } from './fix-reader-address.ts'
import { fixReaders } from './fix-readers.ts'
import { listFixes } from './list-fixes.query.ts'
import { previewFix } from './preview-fix.query.ts'
import { resumeFix } from './resume-fix.ts'
import { undoFix } from './undo-fix.ts'

const services = await openTestServices()
let publicationId: number
let publisherId: number
let ctx: AppContext

beforeEach(async () => {
  services.clock.now = new Date('2026-11-21T10:00:00Z')
  const publication = await makePublication(services)
  publicationId = publication.id
  publisherId = publication.publisherId
  ctx = services.as(await actorOf(services, 'publisher', publisherId))
})

const addReader = (fields: Partial<ReaderRow>) => makeReader(services, publicationId, fields)
const row = (id: number) => readerRow(services, id)
const events = (id: number) =>
  services.db.query<{ kind: string; note: string; before: unknown; actor_id: number }>(
    `SELECT kind, note, before, actor_id FROM reader_events WHERE reader_id = :id ORDER BY id`,
    { id },
  )

/** A row without its version, time and author. */
const content = (stored: Record<string, unknown> | undefined) => {
  const { version: _version, updated_at: _at, modified_by: _by, ...rest } = stored ?? {}
  return rest
}

describe('fixing names', () => {
  it('builds full names and keys, writes history, and lowers the count of the warning', async () => {
    const ann = await addReader({ title: 'Ms', firstName: 'Ann', lastName: 'Lee', postCode: 'PL23 1AT' })
    const nobody = await addReader({ companyName: 'Quay & Sons' })
    const deactivated = await addReader({ firstName: 'Ida', lastName: 'Finch', isDeleted: true })
    expect(await countWarnings(ctx, { publicationId })).toMatchObject({ nofullname: 2 })
    const fix = await fixReaders(ctx, { publicationId, kind: 'full-names' })
    expect(fix).toMatchObject({ state: 'done', fixed: 1, leftAlone: 1, canUndo: true })
    expect(await row(ann)).toMatchObject({
      full_name: 'Ms Ann Lee',
      key_name: 'ms ann lee',
      version: 2,
      modified_by: publisherId,
    })
    expect(await row(nobody)).toMatchObject({ full_name: '', version: 1 })
    expect(await row(deactivated)).toMatchObject({ full_name: '', version: 1 })
    const [event, ...more] = await events(ann)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      kind: 'edited',
      note: 'Full name made from title, first and last name',
      actor_id: publisherId,
    })
    expect(asJson(event?.before)).toEqual({ fullName: '' })
    expect(await countWarnings(ctx, { publicationId })).toMatchObject({ nofullname: 1 })
  })

  it('refuses a list that has changed since it was previewed', async () => {
    const first = await addReader({ firstName: 'Ida', lastName: 'Finch', fullName: '' })
    const second = await addReader({ firstName: 'Al', lastName: 'Day', fullName: '' })
    const kind = 'full-names'
    const previewed = async () => ({
      publicationId,
      kind,
      fingerprint: (await previewFix(ctx, { publicationId, kind })).fingerprint ?? undefined,
    })
    const refused = { kind: 'conflict', message: 'The list has changed since its preview, so nothing was fixed' }
    for (const change of [
      () => addReader({ firstName: 'Bo', lastName: 'Ray', fullName: '' }),
      () => services.db.run('DELETE FROM readers WHERE id = :first', { first }),
      () =>
        services.db.run(`UPDATE readers SET last_name = 'Dey', version = version + 1 WHERE id = :second`, { second }),
    ]) {
      const before = await previewed()
      await change()
      await expect(fixReaders(ctx, before)).rejects.toMatchObject(refused)
    }
    // Readers who are not in the list do not matter.
    const refreshed = await previewed()
    await addReader({ fullName: 'Cy Day' })
    expect(await fixReaders(ctx, refreshed)).toMatchObject({ state: 'done', fixed: 2 })
  })

  it('splits full names into name fields, and previews before and after', async () => {
    const jan = await addReader({ fullName: 'Dr Jan van der Berg' })
    const couple = await addReader({ fullName: 'Mr & Mrs Smith' })
    const preview = await previewFix(ctx, { publicationId, kind: 'name-fields' })
    expect(preview).toMatchObject({ total: 2, examined: 2, fixable: 1, leftAlone: 1 })
    expect(preview.samples).toEqual([
      {
        id: jan,
        uniqueReference: expect.any(String),
        before: { title: '', firstName: '', lastName: '', fullName: 'Dr Jan van der Berg' },
        after: { title: 'Dr', firstName: 'Jan', lastName: 'van der Berg', fullName: 'Dr Jan van der Berg' },
      },
    ])
    expect(await row(jan)).toMatchObject({ last_name: '', version: 1 })
    await fixReaders(ctx, { publicationId, kind: 'name-fields' })
    expect(await row(jan)).toMatchObject({
      title: 'Dr',
      first_name: 'Jan',
      last_name: 'van der Berg',
      key_surname: 'van der berg',
    })
    expect(await row(couple)).toMatchObject({ first_name: '', version: 1 })
  })

  it('works in chunks, and resumes where it was stopped', async () => {
    const stopped = await stoppedFix(1210)
    expect(stopped).toMatchObject({ state: 'failed', fixed: 500, problem: 'Stopped on request', canResume: true })
    const fixedCounts: number[] = []
    const onProgress = ({ fixed }: { fixed: number }) => fixedCounts.push(fixed)
    const fix = await resumeFix(ctx, { fixId: stopped.id, isWaiting: true, onProgress })
    expect(fix).toMatchObject({ id: stopped.id, state: 'done', fixed: 1210, leftAlone: 0, canResume: false })
    expect(fixedCounts).toEqual([1000, 1210])
    const [totals] = await services.db.query<{ n: number; writes: number }>(
      `SELECT SUM(CASE WHEN full_name = '' THEN 1 ELSE 0 END) AS n, MAX(version) AS writes FROM readers WHERE publication_id = :publicationId`,
      { publicationId },
    )
    expect([Number(totals?.n), Number(totals?.writes)]).toEqual([0, 2])
  })

  it('leaves the fix of a long list and its undo to the worker, one at a time', async () => {
    await addReaders(2010)
    const { id, state } = await fixReaders(ctx, { publicationId, kind: 'full-names' })
    expect(state).toBe('waiting')
    const another = () => fixReaders(ctx, { publicationId, kind: 'name-fields' })
    await expect(another()).rejects.toMatchObject({
      kind: 'conflict',
      message: 'Another automatic fix of this publication is running (Empty Full Names, 0 readers so far)',
    })
    await runWorker(services)
    expect(await listFixes(ctx, { publicationId })).toMatchObject([{ id, state: 'done', fixed: 2010 }])
    expect(await undoFix(ctx, { fixId: id })).toMatchObject({ state: 'undoing', undone: 0 })
    await expect(undoFix(ctx, { fixId: id })).rejects.toMatchObject({ message: 'This fix is already being undone' })
    await expect(another()).rejects.toMatchObject({ message: expect.stringContaining('Another undo') })
    await runWorker(services)
    expect(await listFixes(ctx, { publicationId })).toMatchObject([{ id, state: 'undone', undone: 2010, kept: 0 }])
    expect((await another()).state).toBe('done')
  })
})

async function addReaders(count: number): Promise<void> {
  await copyReader(
    services,
    await addReader({ uniqueReference: `N${publicationId}`, firstName: 'Ann', lastName: 'Lee' }),
    count - 1,
  )
}

/** A fix of this many readers, stopped after the first 500. */
async function stoppedFix(count: number) {
  await addReaders(count)
  const stop = new AbortController()
  const onProgress = () => stop.abort()
  return fixReaders(ctx, { publicationId, kind: 'full-names', isWaiting: true, onProgress, signal: stop.signal })
}

describe('a fix that fails', () => {
  it('reports its problem, does not block the next fix, and can be undone as far as it got', async () => {
    const { id } = await stoppedFix(510)
    await resumeFix(ctx, { fixId: id })
    await services.db.run(`UPDATE users SET is_active = :no WHERE id = :publisherId`, { no: false, publisherId })
    await runWorker(services)
    const asOperator = services.as(operator)
    expect(await listFixes(asOperator, { publicationId })).toMatchObject([
      {
        id,
        state: 'failed',
        fixed: 500,
        canUndo: true,
        canResume: true,
        problem: expect.stringContaining('deactivated'),
      },
    ])
    expect(await fixReaders(asOperator, { publicationId, kind: 'full-names' })).toMatchObject({
      state: 'done',
      fixed: 10,
    })
    expect(await undoFix(asOperator, { fixId: id })).toMatchObject({ state: 'undone', undone: 500, canResume: false })
    await expect(resumeFix(asOperator, { fixId: id })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('is resumed by another user, whose name is recorded', async () => {
    const { id } = await stoppedFix(510)
    await services.db.run(`UPDATE users SET is_active = :no WHERE id = :publisherId`, { no: false, publisherId })
    expect(await resumeFix(services.as(operator), { fixId: id })).toMatchObject({ state: 'waiting' })
    await runWorker(services)
    expect(await listFixes(services.as(operator), { publicationId })).toMatchObject([{ id, state: 'done', fixed: 510 }])
    const [last] = await services.db.query(`SELECT actor_kind FROM reader_events ORDER BY id DESC LIMIT 1`)
    expect(last).toEqual({ actor_kind: 'operator' })
  })

  it('can be undone in two runs, and counts no reader twice', async () => {
    await addReaders(510)
    const { id } = await fixReaders(ctx, { publicationId, kind: 'full-names' })
    const changed = await addReader({ firstName: 'Bob', lastName: 'Lee' })
    await services.db.run(`UPDATE readers SET version = version + 1 WHERE unique_reference = :reference`, {
      reference: `N${publicationId}-3`,
    })
    const stop = new AbortController()
    const onProgress = () => stop.abort()
    const interrupted = await undoFix(ctx, { fixId: id, isWaiting: true, onProgress, signal: stop.signal })
    expect(interrupted).toMatchObject({
      state: 'done',
      undone: 499,
      kept: 1,
      canUndo: true,
      problem: 'Stopped on request',
    })
    expect(await undoFix(ctx, { fixId: id })).toMatchObject({ state: 'undone', undone: 509, kept: 1 })
    expect(await row(changed)).toMatchObject({ version: 1 })
  })
})

describe('fixing addresses', () => {
  const messy = {
    firstName: 'Ann',
    lastName: 'Lee',
    fullName: 'Ann Lee',
    addressOne: '14 Mill Street, Fowey, PL23 1AQ',
    country: 'GB',
  }

  it('previews one reader, fixes it, and can be undone', async () => {
    const id = await addReader(messy)
    const before = await row(id)
    const preview = await fixReaderAddress(ctx, { id, dryRun: true })
    expect(preview).toMatchObject({
      after: { addressOne: '14 Mill Street', city: 'Fowey', postCode: 'PL23 1AQ' },
      fix: null,
    })
    expect(await row(id)).toEqual(before)
    const { fix } = await fixReaderAddress(ctx, { id })
    const after = await row(id)
    expect(after).toMatchObject({
      address_one: '14 Mill Street',
      city: 'Fowey',
      post_code: 'PL23 1AQ',
      address_state: 'ok',
      post_code_state: 'ok',
      version: 2,
    })
    const keys = deriveReader(
      {
        ...messy,
        email: '',
        companyName: '',
        addressTwo: '',
        addressThree: '',
        addressFour: '',
        addressOne: '14 Mill Street',
        city: 'Fowey',
        postCode: 'PL23 1AQ',
      },
      'GB',
    )
    expect(after).toMatchObject({
      key_address: keys.keyAddress,
      key_post_code: keys.keyPostCode,
      mail_sort: keys.mailSort,
    })
    expect(await undoFix(ctx, { fixId: fix?.id })).toMatchObject({ state: 'undone', undone: 1, kept: 0 })
    expect(content(await row(id))).toEqual(content(before))
    expect(await row(id)).toMatchObject({ version: 1 })
    expect((await events(id)).map(({ note }) => note)).toEqual([
      'Parts of the address moved to their own fields',
      'Undone: Parts of the address moved to their own fields',
    ])
  })

  it('leaves an address that cannot be split unchanged', async () => {
    const id = await addReader({ ...messy, addressOne: '12' })
    expect(await fixReaderAddress(ctx, { id })).toMatchObject({ after: null, fix: null })
    expect(await row(id)).toMatchObject({ version: 1 })
    expect(await listFixes(ctx, { publicationId })).toEqual([])
  })

  it('keeps the state of a postcode that is not moved', async () => {
    const id = await addReader({ ...messy, addressOne: '', addressTwo: '14 Mill Street', postCode: 'PL23 1AQ' })
    // The state that a postcode gets when the postcode file does not contain it.
    await services.db.run(`UPDATE readers SET post_code_state = 'queried' WHERE id = :id`, { id })
    await fixReaders(ctx, { publicationId, kind: 'addresses' })
    expect(await row(id)).toMatchObject({ address_one: '14 Mill Street', post_code_state: 'queried' })
  })
})

describe('undoing a fix', () => {
  it('restores every reader but those changed or removed since', async () => {
    const names = ['Ann', 'Bob', 'Cy', 'Di']
    const ids = []
    for (const firstName of names) ids.push(await addReader({ firstName, lastName: 'Lee' }))
    const [ann, bob, cy, di] = ids as [number, number, number, number]
    const before = content(await row(ann))
    const fix = await fixReaders(ctx, { publicationId, kind: 'full-names' })
    await services.db.run(`UPDATE readers SET full_name = 'Robert Lee', version = version + 1 WHERE id = :bob`, { bob })
    await services.db.run(`DELETE FROM readers WHERE id = :cy`, { cy })
    expect(await undoFix(ctx, { fixId: fix.id })).toMatchObject({ state: 'undone', undone: 2, kept: 2, canUndo: false })
    expect(content(await row(ann))).toEqual(before)
    expect(await row(di)).toMatchObject({ full_name: '', key_name: 'di lee', version: 1 })
    expect(await row(bob)).toMatchObject({ full_name: 'Robert Lee' })
    await expect(undoFix(ctx, { fixId: fix.id })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('of addresses completes even if every reader was changed since', async () => {
    const id = await addReader({ addressOne: '', addressTwo: '14 Mill Street', postCode: 'PL23 1AQ' })
    const fix = await fixReaders(ctx, { publicationId, kind: 'addresses' })
    await services.db.run(`UPDATE readers SET version = version + 1 WHERE id = :id`, { id })
    expect(await undoFix(ctx, { fixId: fix.id })).toMatchObject({ state: 'undone', undone: 0, kept: 1 })
    expect(await row(id)).toMatchObject({ address_one: '14 Mill Street' })
  })

  it('of addresses sorts the readers for the current country of the publisher', async () => {
    const id = await addReader({ addressOne: '', addressTwo: '14 Mill Street', postCode: '10001' })
    const fix = await fixReaders(ctx, { publicationId, kind: 'addresses' })
    await services.db.run(
      `UPDATE accounts SET country = 'US' WHERE user_id = (SELECT publisher_id FROM publications WHERE id = :publicationId)`,
      { publicationId },
    )
    expect(await undoFix(ctx, { fixId: fix.id })).toMatchObject({ undone: 1 })
    expect(await row(id)).toMatchObject({
      address_two: '14 Mill Street',
      mail_sort: '3US510001',
      post_code_state: 'ok',
    })
  })

  it('of addresses checks the postcodes against the current postcode file', async () => {
    const id = await addReader({ addressOne: '', addressTwo: '14 Mill Street', postCode: 'PL23 1AQ' })
    const fix = await fixReaders(ctx, { publicationId, kind: 'addresses' })
    const file = { publicationId, fileName: 'codes.csv', storedFile: null, bytes: 1, rejects: [], isLive: true }
    const fileId = await PostcodeFiles.insert(services, file)
    await services.db.run(`INSERT INTO postcodes (file_id, post_code) VALUES (:fileId, 'SW1A1AA')`, { fileId })
    await undoFix(ctx, { fixId: fix.id })
    expect(await row(id)).toMatchObject({ address_two: '14 Mill Street', post_code_state: 'queried' })
  })

  it('is possible for thirty days', async () => {
    const fixName = async (firstName: string) => {
      const readerId = await addReader({ firstName, lastName: 'Lee' })
      return { readerId, fixId: (await fixReaders(ctx, { publicationId, kind: 'full-names' })).id }
    }
    const first = await fixName('Ann')
    const second = await fixName('Bob')
    const savedRows = () =>
      services.db.query(`SELECT 1 FROM reader_fix_rows WHERE fix_id = :fixId`, { fixId: second.fixId })
    services.clock.now = new Date('2026-12-21T09:59:59Z')
    await clearOldFixes(ctx)
    expect(await undoFix(ctx, { fixId: first.fixId })).toMatchObject({ state: 'undone', undone: 1, kept: 0 })
    expect(await row(first.readerId)).toMatchObject({ full_name: '' })
    expect(await savedRows()).toHaveLength(1)
    services.clock.now = new Date('2026-12-21T10:00:01Z')
    expect(await listFixes(ctx, { publicationId })).toMatchObject([
      { id: second.fixId, canUndo: false },
      { state: 'undone' },
    ])
    await expect(undoFix(ctx, { fixId: second.fixId })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await row(second.readerId)).toMatchObject({ full_name: 'Bob Lee' })
    await clearOldFixes(ctx)
    expect(await savedRows()).toHaveLength(0)
  })

  it('is not found for another publisher, like every other call on fixes', async () => {
    const id = await addReader({ firstName: 'Ann', lastName: 'Lee', addressTwo: '2 Quay' })
    const fix = await fixReaders(ctx, { publicationId, kind: 'full-names' })
    const stranger = services.as(await actorOf(services, 'publisher'))
    const calls = [
      () => fixReaders(stranger, { publicationId, kind: 'full-names' }),
      () => previewFix(stranger, { publicationId, kind: 'full-names' }),
      () => listFixes(stranger, { publicationId }),
      () => undoFix(stranger, { fixId: fix.id }),
      () => resumeFix(stranger, { fixId: fix.id }),
      () => fixReaderAddress(stranger, { id }),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject({ kind: 'notFound' })
    const admin = services.as(await actorOf(services, 'admin', publisherId))
    await expect(fixReaders(admin, { publicationId, kind: 'full-names' })).rejects.toMatchObject({ kind: 'denied' })
    await expect(undoFix(ctx, { fixId: 999_999 })).rejects.toMatchObject({ kind: 'notFound' })
  })
})
