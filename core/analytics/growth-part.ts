import { z } from 'zod'
import { type DownloadFile, textChunks } from '../downloads/download-file.ts'
import { dayOf } from '../kernel/calendar.ts'
import { byteOrderMark } from '../kernel/csv-text.ts'
import { useCase } from '../use-case.ts'
import { growthPartNames, growthParts } from './growth-parts.ts'
import { type GrowthTable, growthCsv } from './growth-table.rules.ts'

const GrowthPartInput = z.object({
  part: z.enum(growthPartNames),
  publicationId: z.coerce.number('Must be a number').int().optional(),
})

/** The tables of one part of the growth page, for one title or for all. */
export const growthPart = useCase({
  permission: 'dashboard:read',
  input: GrowthPartInput,
  transaction: 'none',
  run: (ctx, { part, publicationId }): Promise<GrowthTable[]> => growthParts[part].read(ctx, { publicationId }),
})

/** The same tables as a CSV. */
export const exportGrowthPart = useCase({
  permission: 'dashboard:read',
  input: GrowthPartInput,
  transaction: 'none',
  async run(ctx, { part, publicationId }): Promise<DownloadFile> {
    const tables = await growthParts[part].read(ctx, { publicationId })
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    return { fileName: `Growth_${part}_${today}.csv`, chunks: textChunks(byteOrderMark + growthCsv(tables)) }
  },
})
