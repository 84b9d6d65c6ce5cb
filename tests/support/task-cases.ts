import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppContext } from '#core/context.ts'
import { dedupeLikely } from '#core/duplicates/dedupe-likely.ts'
import { findLikely } from '#core/duplicates/find-likely.ts'
import { listLikely } from '#core/duplicates/list-likely.query.ts'
import { mergeExact } from '#core/duplicates/merge-exact.ts'
import { mergeLikely } from '#core/duplicates/merge-likely.ts'
import { undoMerges } from '#core/duplicates/undo-merges.ts'
import { fixReaders } from '#core/fixes/fix-readers.ts'
import { undoFix } from '#core/fixes/undo-fix.ts'
import { confirmUpload } from '#core/imports/confirm-upload.ts'
import { getUpload } from '#core/imports/get-upload.query.ts'
import { importReaders } from '#core/imports/import-readers.ts'
import { storeUpload } from '#core/imports/store-upload.ts'
import { undoImport } from '#core/imports/undo-import.ts'
import { undoUpload } from '#core/imports/undo-upload.ts'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { printDay } from '#core/kernel/dates.ts'
import { readPostcodes, storePostcodes } from '#core/postcode-files/store-postcodes.ts'
import { readReportFile, storeReport } from '#core/reconciliation/store-report.ts'
import { saveBlanketOffer } from '#core/series/blanket-offers.ts'
import { sendBlanketOffer } from '#core/series/send-blanket-offer.ts'
import type { TaskKindName } from '#core/tasks/task-kinds.ts'
import { checkTransfer } from '#core/transfers/check-transfer.ts'
import { runTransfer, runTransferHere } from '#core/transfers/run-transfer.ts'
import { addTransfer, confirmHostKey } from '#core/transfers/save-transfer.ts'
import { staffActor } from '#core/users/staff-actor.ts'
import { copyReader, makeReader } from './readers.ts'
import { paidOrder, sendRenewalEmails } from './series.ts'
import { type SftpServer, startSftpServer } from './sftp-server.ts'
import type { TestServices } from './test-services.ts'
import { pieces } from './uploads.ts'
import { work } from './worker.ts'

/** Where a case runs. */
export interface CaseTarget {
  ctx: AppContext
  publicationId: number
  /** The folder of this world's files. */
  folder: string
}

interface EntryPoint {
  start(target: CaseTarget): Promise<unknown>
  /** The minimum number of transactions and savepoints that a run commits: it is killed before one of these commits. */
  commits: number
}

/**
 * A kind of long work with all that a test needs to kill it midway: used by core/tasks/tasks-killed.test.ts and tests/faults. A child
 * process imports this file as well, so it must not import Vitest.
 */
export interface TaskCase {
  kind: TaskKindName
  /** Creates the subject of the work. */
  prepare(services: TestServices, target: CaseTarget): Promise<unknown>
  /** By the worker: `start` requests it, and the job does it. */
  worker?: { start(target: CaseTarget, services: TestServices): Promise<unknown>; commits: number }
  /** By the command line: `start` does it in its own process. */
  inline?: EntryPoint
  /** Numbers that show whether all of it was done, exactly once. */
  facts(target: CaseTarget): Promise<Record<string, number>>
  expected: Record<string, number>
  /** The next request, which must not be refused. */
  next(target: CaseTarget): Promise<unknown>
}

const pairs = 45
/** More than are written in one transaction. */
const offered = 1100
/** More than are fixed at once. */
const fixable = 2210

const merged = {
  facts: ({ ctx, publicationId }: CaseTarget) =>
    numbers(
      ctx,
      `SELECT (SELECT count(*) FROM readers WHERE publication_id = :id) AS readers, count(*) AS merges,
         count(DISTINCT m.survivor_id) AS survivors,
         (SELECT SUM(groups_merged) FROM merge_batches WHERE publication_id = :id) AS counted
       FROM reader_merges m WHERE m.publication_id = :id AND m.undone_at IS NULL`,
      publicationId,
    ),
  expected: { readers: pairs, merges: pairs, survivors: pairs, counted: pairs },
  next: async (target: CaseTarget) =>
    undoMerges(target.ctx, { batchId: await newest(target, 'merge_batches', 'AND groups_merged > 0') }),
} as const

/** Readers that exist before an import, and lines of its file: the second half of the readers are in the file as well. */
const known = 8_000
const inFile = 12_000

/** An import in a mode, into a publication that already has readers unless it only adds. */
function importCase(
  mode: 'add' | 'combine' | 'replace',
  readers: number,
  commits: { worker: number; inline: number },
): TaskCase {
  const file = (target: CaseTarget) => readersFile(target, 'new', known / 2, inFile)
  return {
    kind: 'import-readers',
    prepare: async (_, target) => (mode === 'add' ? null : importReaders(target.ctx, { ...old(target), mode: 'add' })),
    worker: {
      async start(target, services) {
        const { uploadId } = await storeNew(target, mode)
        await work(services)
        return confirmUpload(target.ctx, { uploadId, handle: await handleOf(target) })
      },
      commits: commits.worker,
    },
    inline: {
      start: (target) => importReaders(target.ctx, { publicationId: target.publicationId, file: file(target), mode }),
      commits: commits.inline,
    },
    facts: readerFacts,
    expected: { readers, different: readers, as_in_file: inFile, newest: mode === 'add' ? 1 : 2 },
    next: ({ ctx, publicationId, folder }) =>
      importReaders(ctx, {
        publicationId,
        file: readersFile({ ctx, publicationId, folder }, 'next', 0, 3),
        mode: 'combine',
      }),
  }
}

export const taskCases: Record<string, TaskCase> = {
  'a postcode file': {
    kind: 'import-postcodes',
    prepare: async (_, target) => writeFileSync(codesFile(target), codes),
    worker: {
      start: ({ ctx, publicationId }) =>
        storePostcodes(ctx, { publicationId, fileName: 'codes.csv', chunks: pieces(codes, 50_000) }),
      commits: 3,
    },
    inline: {
      start: (target) =>
        readPostcodes(target.ctx, {
          publicationId: target.publicationId,
          file: codesFile(target),
          fileName: 'codes.csv',
        }),
      commits: 4,
    },
    facts: ({ ctx, publicationId }) =>
      numbers(
        ctx,
        `SELECT count(*) AS codes, count(DISTINCT p.post_code) AS different, count(DISTINCT f.id) AS files
         FROM postcode_files f JOIN postcodes p ON p.file_id = f.id WHERE f.publication_id = :id AND f.is_live`,
        publicationId,
      ),
    expected: { codes: 25_000, different: 25_000, files: 1 },
    next: ({ ctx, publicationId }) =>
      storePostcodes(ctx, { publicationId, fileName: 'next.csv', chunks: pieces('PostCode\nM1 1AE\n') }),
  },
  'a report of a payment provider': {
    kind: 'read-provider-report',
    prepare: async (_, target) => writeFileSync(reportFile(target), reportLines),
    worker: {
      start: async (target) =>
        storeReport(await ownerOf(target), { fileName: 'report.csv', chunks: pieces(reportLines, 50_000) }),
      commits: 4,
    },
    inline: {
      start: async (target) =>
        readReportFile(await ownerOf(target), { file: reportFile(target), fileName: 'report.csv' }),
      commits: 5,
    },
    facts: ({ ctx, publicationId }) =>
      numbers(
        ctx,
        `SELECT count(*) AS lines, count(DISTINCT l.line_key) AS different, SUM(CASE WHEN l.state = 'unknown' THEN 1 ELSE 0 END) AS looked_at
         FROM provider_lines l JOIN publications p ON p.publisher_id = l.publisher_id WHERE p.id = :id`,
        publicationId,
      ),
    expected: { lines: 3000, different: 3000, looked_at: 3000 },
    next: async (target) => storeReport(await ownerOf(target), { fileName: 'next.csv', chunks: pieces(reportOf(1)) }),
  },
  'a search for likely duplicates': {
    kind: 'find-likely',
    // The groups of the previous search are deleted when this one is done.
    async prepare(services, target) {
      await makePairs(services, target)
      await dedupeLikely(target.ctx, { publicationId: target.publicationId })
    },
    worker: {
      start: ({ ctx, publicationId }) => findLikely(ctx, { publicationId }),
      commits: 6,
    },
    inline: {
      start: ({ ctx, publicationId }) => dedupeLikely(ctx, { publicationId }),
      commits: 7,
    },
    async facts({ ctx, publicationId }) {
      const { total, search } = await listLikely(ctx, { publicationId })
      const stored = await numbers(
        ctx,
        `SELECT count(*) AS groups_stored FROM likely_groups WHERE search_id = :id`,
        search?.id,
      )
      return { total, groups: search?.groups ?? 0, ...stored }
    },
    expected: { total: pairs, groups: pairs, groups_stored: pairs },
    next: ({ ctx, publicationId }) => findLikely(ctx, { publicationId }),
  },
  'a run of merges': {
    kind: 'merge-duplicates',
    async prepare(services, target) {
      await makePairs(services, target)
      await dedupeLikely(target.ctx, { publicationId: target.publicationId })
    },
    worker: {
      start: ({ ctx, publicationId }) => mergeLikely(ctx, { publicationId }),
      commits: 50,
    },
    ...merged,
  },
  'a search with its merges': {
    kind: 'merge-duplicates',
    prepare: makePairs,
    inline: {
      start: ({ ctx, publicationId }) => dedupeLikely(ctx, { publicationId, apply: true }),
      commits: 57,
    },
    ...merged,
  },
  'merges of exact duplicates': {
    kind: 'merge-duplicates',
    prepare: makePairs,
    inline: {
      start: ({ ctx, publicationId }) => mergeExact(ctx, { publicationId, list: 'duplicateemails' }),
      commits: 6,
    },
    ...merged,
  },
  'an undo of merges': {
    kind: 'undo-merges',
    async prepare(services, target) {
      await makePairs(services, target)
      await mergeExact(target.ctx, { publicationId: target.publicationId, list: 'duplicateemails' })
    },
    worker: {
      start: async (target) => undoMerges(target.ctx, { batchId: await newest(target, 'merge_batches') }),
      commits: 50,
    },
    facts: ({ ctx, publicationId }) =>
      numbers(
        ctx,
        `SELECT (SELECT count(*) FROM readers WHERE publication_id = :id) AS readers, count(*) AS undone,
           (SELECT count(*) FROM reader_events WHERE publication_id = :id AND kind = 'unmerged') AS events,
           (SELECT SUM(groups_undone) FROM merge_batches WHERE publication_id = :id) AS counted
         FROM reader_merges WHERE publication_id = :id AND undone_at IS NOT NULL`,
        publicationId,
      ),
    expected: { readers: 2 * pairs, undone: pairs, events: pairs, counted: pairs },
    next: ({ ctx, publicationId }) => mergeExact(ctx, { publicationId, list: 'duplicateemails' }),
  },
  'an automatic fix': {
    kind: 'fix-readers',
    prepare: makeFixable,
    worker: {
      start: ({ ctx, publicationId }) => fixReaders(ctx, { publicationId, kind: 'full-names' }),
      commits: 7,
    },
    inline: {
      start: ({ ctx, publicationId }) => fixReaders(ctx, { publicationId, kind: 'full-names', isWaiting: true }),
      commits: 8,
    },
    facts: (target) => fixFacts(target, 'fixed'),
    expected: { readers: fixable, blank: 0, oldest: 2, newest: 2, events: fixable, images: fixable, counted: fixable },
    next: async (target) => undoFix(target.ctx, { fixId: await newest(target, 'reader_fixes') }),
  },
  'an undo of an automatic fix': {
    kind: 'undo-fix',
    async prepare(services, target) {
      await makeFixable(services, target)
      await fixReaders(target.ctx, { publicationId: target.publicationId, kind: 'full-names', isWaiting: true })
    },
    worker: {
      start: async (target) => undoFix(target.ctx, { fixId: await newest(target, 'reader_fixes') }),
      commits: 7,
    },
    inline: {
      start: async (target) => undoFix(target.ctx, { fixId: await newest(target, 'reader_fixes'), isWaiting: true }),
      commits: 8,
    },
    facts: (target) => fixFacts(target, 'undone'),
    expected: {
      readers: fixable,
      blank: fixable,
      oldest: 3,
      newest: 3,
      events: 2 * fixable,
      images: 0,
      counted: fixable,
    },
    next: ({ ctx, publicationId }) => fixReaders(ctx, { publicationId, kind: 'full-names', isWaiting: true }),
  },
  'an offer to chosen readers': {
    kind: 'send-offer',
    prepare: makeOffered,
    worker: {
      start: async (target) => sendBlanketOffer(target.ctx, { id: await newest(target, 'blanket_offers') }),
      commits: 4,
    },
    inline: {
      start: async (target) =>
        sendBlanketOffer(target.ctx, { id: await newest(target, 'blanket_offers'), isWaiting: true }),
      commits: 5,
    },
    facts: ({ ctx, publicationId }) =>
      numbers(
        ctx,
        `SELECT count(*) AS efforts, count(DISTINCT e.reader_id) AS readers, count(DISTINCT e.promo_code_id) AS codes,
           (SELECT count(*) FROM promo_codes WHERE publication_id = :id) AS made,
           (SELECT count(*) FROM jobs j JOIN reader_efforts x ON j.dedupe_key LIKE '%renewal-effort:' || x.id
             WHERE x.publication_id = :id) AS mails
         FROM reader_efforts e WHERE e.publication_id = :id`,
        publicationId,
      ),
    expected: { efforts: offered, readers: offered, codes: offered, made: offered, mails: offered },
    next: async (target) => saveBlanketOffer(target.ctx, offerOf(target)),
  },
  'a check of an upload': {
    kind: 'check-upload',
    prepare: (_, target) => importReaders(target.ctx, { ...old(target), mode: 'add' }),
    worker: { start: (target) => storeNew(target, 'combine'), commits: 3 },
    async facts(target) {
      const { preview } = await getUpload(target.ctx, { uploadId: await newest(target, 'uploads') })
      return { added: preview?.added ?? 0, updated: preview?.updated ?? 0, ...(await readerFacts(target)) }
    },
    expected: {
      added: inFile - known / 2,
      updated: known / 2,
      readers: known,
      different: known,
      as_in_file: 0,
      newest: 1,
    },
    next: async (target) => confirmUpload(target.ctx, { uploadId: await newest(target, 'uploads') }),
  },
  'files of a server': {
    kind: 'pull-readers',
    async prepare(_, target) {
      const server = await transferFor(target, 'import')
      server.put('one.csv', readFileSync(readersFile(target, 'new', 0, known / 2)))
      server.put('two.csv', readFileSync(readersFile(target, 'new', known / 2, known / 2)))
    },
    worker: {
      start: async (target) => runTransfer(target.ctx, { transferId: await newest(target, 'transfers') }),
      commits: 12,
    },
    inline: {
      start: async (target) => runTransferHere(target.ctx, { transferId: await newest(target, 'transfers') }),
      commits: 13,
    },
    async facts(target) {
      const files = await numbers(
        target.ctx,
        `SELECT count(*) AS files, count(DISTINCT f.sha256) AS of_them FROM transfer_files f JOIN transfers x ON x.id = f.transfer_id
         WHERE x.publication_id = :id AND f.state = 'imported'`,
        target.publicationId,
      )
      return { ...files, ...(await readerFacts(target)) }
    },
    expected: { files: 2, of_them: 2, readers: known, different: known, as_in_file: known, newest: 1 },
    next: async (target) => runTransferHere(target.ctx, { transferId: await newest(target, 'transfers') }),
  },
  'a mailing file for a server': {
    kind: 'push-mailing-file',
    async prepare(services, target) {
      await makeReader(services, target.publicationId, {
        fullName: 'Ann Lee',
        addressOne: '1 Quay',
        city: 'Ely',
        postCode: 'CB7 4AB',
      })
      await transferFor(target, 'mailing-file')
    },
    worker: {
      start: async (target) => runTransfer(target.ctx, { transferId: await newest(target, 'transfers') }),
      commits: 3,
    },
    inline: {
      start: async (target) => runTransferHere(target.ctx, { transferId: await newest(target, 'transfers') }),
      commits: 4,
    },
    // The days of two processes may differ, and the name with them.
    facts: async (target) => ({
      sent: Object.values(servers.get(target.publicationId)?.files() ?? {}).some((text) => text.includes('Ann Lee'))
        ? 1
        : 0,
    }),
    expected: { sent: 1 },
    next: async (target) => runTransferHere(target.ctx, { transferId: await newest(target, 'transfers') }),
  },
  'an import that adds': importCase('add', inFile, { worker: 3, inline: 4 }),
  'an import that combines': importCase('combine', known / 2 + inFile, { worker: 4, inline: 5 }),
  'an import that replaces': importCase('replace', inFile, { worker: 4, inline: 5 }),
  'an undo of an import': {
    kind: 'undo-import',
    async prepare(_, target) {
      await importReaders(target.ctx, { ...old(target), mode: 'add' })
      const file = readersFile(target, 'new', known / 2, inFile)
      await importReaders(target.ctx, { publicationId: target.publicationId, file, mode: 'combine' })
    },
    worker: {
      start: async (target) => undoUpload(target.ctx, { uploadId: await newest(target, 'uploads') }),
      commits: 4,
    },
    inline: {
      start: async (target) => undoImport(target.ctx, { uploadId: await newest(target, 'uploads') }),
      commits: 5,
    },
    facts: readerFacts,
    expected: { readers: known, different: known, as_in_file: 0, newest: 1 },
    next: (target) => storeNew(target, 'combine'),
  },
}

const todayOf = (ctx: AppContext) => dayOf(ctx.now(), ctx.settings.timeZone)

const offerOf = ({ ctx, publicationId }: Pick<CaseTarget, 'ctx' | 'publicationId'>) => ({
  ...{ publicationId, id: null, name: 'Summer', status: 'ended', offerPercent: '20' },
  validUntil: printDay(addDays(todayOf(ctx), 60)),
})

/** Lapsed readers who bought here, and the draft of an offer to them; its mails wait for a worker. */
async function makeOffered(services: TestServices, { ctx, publicationId }: CaseTarget): Promise<void> {
  const [title] = await services.db.query<{ publisherId: number }>(
    `SELECT publisher_id AS "publisherId" FROM publications WHERE id = :publicationId`,
    { publicationId },
  )
  const publisherId = Number(title?.publisherId)
  await sendRenewalEmails(services, publisherId)
  const ended = addDays(todayOf(ctx), -100)
  const fields = { subEndOn: ended, subStartOn: addDays(ended, -364), subType: 'print', subPaid: 2999 } as const
  await copyReader(services, await makeReader(services, publicationId, fields), offered - 1)
  const readers = await services.db.query<{ id: number }>(
    `SELECT id FROM readers WHERE publication_id = :publicationId`,
    {
      publicationId,
    },
  )
  for (const { id } of readers) {
    await services.db.run(`UPDATE readers SET email = :email, key_email = :email, pub_offers = :no WHERE id = :id`, {
      id,
      email: `reader-${id}@example.test`,
      no: false,
    })
    await paidOrder(services, { readerId: id, publicationId, publisherId }, { on: addDays(ended, -364) })
  }
  await saveBlanketOffer(ctx, offerOf({ ctx, publicationId }))
}

/** Settings for a process whose files come from this machine. */
export const toThisMachine = { TRANSFERS_TO_LOOPBACK: '1', TRANSFER_SETTLE_SECONDS: '0' }

/** In the process of the test, which the killed one calls. */
const servers = new Map<number, SftpServer>()

async function transferFor({ ctx, publicationId }: CaseTarget, kind: 'import' | 'mailing-file'): Promise<SftpServer> {
  const server = await startSftpServer()
  servers.set(publicationId, server)
  const [row] = await ctx.db.query<{ publisher_id: number }>(`SELECT publisher_id FROM publications WHERE id = :id`, {
    id: publicationId,
  })
  const { id: transferId } = await addTransfer(ctx, {
    ...{ publicationId, kind, name: 'A server', host: '127.0.0.1', port: server.port, login: 'mailing' },
    ...{ password: server.password, runAt: '02:30', alertUsers: [Number(row?.publisher_id)] },
  })
  const check = await checkTransfer(ctx, { transferId })
  if (check.kind === 'host-key') await confirmHostKey(ctx, { transferId, hostKey: check.hostKey })
  return server
}

/** A file of readers whose references are numbers from `from`, in a city that identifies the file. */
function readersFile({ folder, publicationId }: CaseTarget, city: string, from: number, count: number): string {
  const path = join(folder, `${city}-${publicationId}.csv`)
  const lines = Array.from({ length: count }, (_, n) => `K${from + n},Reader ${from + n},${city}`)
  writeFileSync(path, `UniqueReference,FullName,City\n${lines.join('\n')}\n`)
  return path
}

const old = (target: CaseTarget) => ({
  publicationId: target.publicationId,
  file: readersFile(target, 'old', 0, known),
})

function storeNew(target: CaseTarget, mode: 'add' | 'combine' | 'replace') {
  const text = readFileSync(readersFile(target, 'new', known / 2, inFile))
  const { ctx, publicationId } = target
  return storeUpload(ctx, { publicationId, mode, fileName: 'new.csv', chunks: pieces(text, 50_000) })
}

async function handleOf({ ctx, publicationId }: CaseTarget): Promise<string> {
  const sql = `SELECT url_key FROM publications WHERE id = :publicationId`
  const [row] = await ctx.db.query<{ url_key: string }>(sql, { publicationId })
  return row?.url_key ?? ''
}

function readerFacts({ ctx, publicationId }: CaseTarget): Promise<Record<string, number>> {
  return numbers(
    ctx,
    `SELECT count(*) AS readers, count(DISTINCT unique_reference) AS different, MAX(version) AS newest,
       SUM(CASE WHEN city = 'new' THEN 1 ELSE 0 END) AS as_in_file
     FROM readers WHERE publication_id = :id`,
    publicationId,
  )
}

const surnames = ['Bar', 'Col', 'Den', 'Fal', 'Gor', 'Hin', 'Jas', 'Kel', 'Lom'].flatMap((first) =>
  ['wick', 'ton', 'field', 'more', 'stead'].map((last) => `${first}${last}`),
)
const firstNames = [
  'Ann',
  'Bob',
  'Cyril',
  'Dora',
  'Edith',
  'Fred',
  'Gwen',
  'Hugh',
  'Iris',
  'Jack',
  'Kay',
  'Leo',
  'Mona',
]

/** Pairs of certain, likely and exact duplicates. */
async function makePairs(services: TestServices, { publicationId }: CaseTarget): Promise<void> {
  for (const [n, lastName] of surnames.entries()) {
    const firstName = firstNames[n % firstNames.length] as string
    const street = { addressOne: `${n + 1} ${surnames[(n * 7) % surnames.length]} Road`, city: 'Ely' }
    const where = { ...street, postCode: `CB${1 + (n % 9)} ${n % 10}A${'ABDEFGHJLN'[n % 10]}` }
    const person = { firstName, lastName, ...where, email: `${firstName}.${lastName}@example.org`.toLowerCase() }
    for (let twice = 0; twice < 2; twice++) await makeReader(services, publicationId, person)
  }
}

async function makeFixable(services: TestServices, { publicationId }: CaseTarget): Promise<void> {
  await copyReader(
    services,
    await makeReader(services, publicationId, { firstName: 'Ann', lastName: 'Lee' }),
    fixable - 1,
  )
}

function fixFacts({ ctx, publicationId }: CaseTarget, counted: 'fixed' | 'undone'): Promise<Record<string, number>> {
  return numbers(
    ctx,
    `SELECT count(*) AS readers, SUM(CASE WHEN full_name = '' THEN 1 ELSE 0 END) AS blank, MIN(version) AS oldest, MAX(version) AS newest,
       (SELECT count(*) FROM reader_events WHERE publication_id = :id) AS events,
       (SELECT count(*) FROM reader_fix_rows r JOIN reader_fixes f ON f.id = r.fix_id WHERE f.publication_id = :id) AS images,
       (SELECT SUM(${counted}) FROM reader_fixes WHERE publication_id = :id) AS counted
     FROM readers WHERE publication_id = :id`,
    publicationId,
  )
}

const reportFile = ({ folder, publicationId }: CaseTarget) => join(folder, `report-${publicationId}.csv`)

/** Charges at Stripe that no order explains. */
const reportOf = (lines: number) =>
  `balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category\n${Array.from(
    { length: lines },
    (_, index) => `txn_${index},2026-10-05 09:30:00,gbp,10.00,0.35,9.65,charge\n`,
  ).join('')}`
const reportLines = reportOf(3000)

/** The publisher itself: a report belongs to a publisher, which the operator is not. */
async function ownerOf({ ctx, publicationId }: CaseTarget): Promise<AppContext> {
  const [row] = await ctx.db.query<{ publisher_id: number }>(`SELECT publisher_id FROM publications WHERE id = :id`, {
    id: publicationId,
  })
  const id = Number(row?.publisher_id)
  return { ...ctx, actor: staffActor({ id, userType: 'publisher', email: '', parentPublisherId: null }) }
}

const codesFile = ({ folder, publicationId }: CaseTarget) => join(folder, `codes-${publicationId}.csv`)
const areas = 'ABDEFGHJLNPQRSTUWXYZ'
const codes = `PostCode\n${Array.from(
  { length: 25_000 },
  (_, n) =>
    `M${1 + (n % 99)} ${Math.floor(n / 99) % 10}${areas[Math.floor(n / 990) % 20]}${areas[Math.floor(n / 19_800)]}`,
).join('\n')}\n`

async function newest({ ctx, publicationId }: CaseTarget, table: string, more = ''): Promise<number> {
  const sql = `SELECT max(id) AS id FROM ${table} WHERE publication_id = :id ${more}`
  const { id } = await numbers(ctx, sql, publicationId)
  return id ?? 0
}

/** The columns of a single row. */
async function numbers({ db }: AppContext, sql: string, id = 0): Promise<Record<string, number>> {
  const [row = {}] = await db.query<Record<string, unknown>>(sql, { id })
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]))
}
