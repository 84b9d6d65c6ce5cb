import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppContext } from '#core/context.ts'
import { readPostcodes, storePostcodes } from '#core/postcode-files/store-postcodes.ts'
import { readReportFile, storeReport } from '#core/reconciliation/store-report.ts'
import { staffActor } from '#core/users/staff-actor.ts'
import { pieces } from '../uploads.ts'
import { type CaseTarget, numbers, type TaskCase } from './task-case.ts'

/** Files other than reader files. */
export const fileCases: Record<string, TaskCase> = {
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
