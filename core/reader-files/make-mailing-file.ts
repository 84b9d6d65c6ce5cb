import { createHash } from 'node:crypto'
import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import type { AppContext } from '../context.ts'
import { type Day, dayOf, parseDay } from '../kernel/dates.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { byteOrderMark } from './csv-line.rules.ts'
import { downloadName } from './file-names.rules.ts'
import {
  emptyTally,
  type MailingPlan,
  type MailingSummary,
  type MailingTally,
  mailingColumns,
  summarise,
} from './mailing-file.rules.ts'
import { publisherSettings } from './publisher-settings.query.ts'
import { namesPublication, publicationOf, whichPublication } from './which-publication.input.ts'

export type { MailingSummary } from './mailing-file.rules.ts'

export interface MailingFile {
  fileName: string
  on: Day
  /** Complete once the chunks are read. */
  summary(): MailingSummary
  /** The file piece by piece; in a dry run nothing but the counting. Reading to the end is what records that it was made. */
  chunks: AsyncIterable<Buffer>
}

const day = z
  .string()
  .transform((text, issue) => {
    const parsed = parseDay(text)
    if (parsed === null) issue.addIssue({ code: 'custom', message: 'Write the day as DD/MM/YYYY' })
    return parsed ?? z.NEVER
  })
  .optional()

/** The current mailing file: who gets a printed copy on a day (today unless said), sorted for the post. */
export const makeMailingFile = useCase({
  permission: 'mailing-file:make',
  input: z
    .object({ ...whichPublication, on: day, bom: z.boolean().default(true), dryRun: z.boolean().default(false) })
    .refine(namesPublication, 'Name the publication'),
  transaction: 'none',
  async run(ctx, input): Promise<MailingFile> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const { homeCountry } = await publisherSettings(ctx, publication.publisherId)
    const on = input.on ?? dayOf(ctx.now(), ctx.settings.timeZone)
    const tally = emptyTally()
    const plan = { publicationId: publication.id, on, homeCountry, isDryRun: input.dryRun }
    const lines = ctx.readerFiles.mailingLines(plan, tally)
    return {
      fileName: downloadName(publication.publicationName, on),
      on,
      summary: () => summarise(on, tally),
      chunks: input.dryRun
        ? lines
        : recorded(ctx, { plan, publisherId: publication.publisherId, bom: input.bom, lines, tally }),
    }
  },
})

interface Recording {
  plan: MailingPlan
  publisherId: number
  bom: boolean
  lines: AsyncIterable<Buffer>
  tally: MailingTally
}

/**
 * The whole file; once the last byte is taken, what was made is on record with its hash. A download that breaks off has given names away
 * too and is written down as far as it went.
 */
async function* recorded(ctx: AppContext, recording: Recording): AsyncGenerator<Buffer> {
  const { plan, publisherId, bom, lines, tally } = recording
  const hash = createHash('sha256')
  let bytes = 0
  let isWhole = false
  const counted = (chunk: Buffer) => {
    hash.update(chunk)
    bytes += chunk.length
    return chunk
  }
  try {
    yield counted(Buffer.from(`${bom ? byteOrderMark : ''}${mailingColumns.join(',')}\r\n`))
    for await (const chunk of lines) yield counted(chunk)
    isWhole = true
    await ctx.db.transaction(async () => {
      const id = await keepMailingFile(ctx, recording, { bytes, sha256: hash.digest('hex') })
      await recordAudit(
        ctx,
        'make-mailing-file',
        { type: 'mailing-file', id, publisherId },
        { on: plan.on, included: tally.included },
      )
    })
  } finally {
    if (!isWhole) {
      await ctx.db
        .transaction(() =>
          recordAudit(
            ctx,
            'make-mailing-file',
            { type: 'publication', id: plan.publicationId, publisherId },
            { on: plan.on, brokeOff: true, included: tally.included },
          ),
        )
        // What broke the file off may be what keeps this from being written, and is the thing to tell.
        .catch((error: unknown) => ctx.log.error({ error }, 'a download that broke off could not be written down'))
    }
  }
}

async function keepMailingFile(
  ctx: AppContext,
  { plan, tally }: Recording,
  file: { bytes: number; sha256: string },
): Promise<number> {
  const [made] = await ctx.db.query<{ id: number }>(
    `INSERT INTO mailing_files (publication_id, mailing_on, included, excluded, bytes, sha256, actor_kind, actor_id, made_at)
     VALUES (:publicationId, :on, :included, :excluded, :bytes, :sha256, :actorKind, :actorId, :now) RETURNING id`,
    {
      ...file,
      publicationId: plan.publicationId,
      on: plan.on,
      included: tally.included,
      excluded: JSON.stringify(tally.excluded),
      actorKind: ctx.actor.kind,
      actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
      now: ctx.now(),
    },
  )
  return Number(made?.id)
}
