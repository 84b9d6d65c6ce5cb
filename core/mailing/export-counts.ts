import { type DownloadFile, textChunks } from '../downloads/download-file.ts'
import { byteOrderMark } from '../kernel/csv-text.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { useCase } from '../use-case.ts'
import { countMailing } from './count-mailing.query.ts'
import { countsCsv } from './counts-sheet.rules.ts'
import { MailingFileInput } from './mailing-file.input.ts'

/** The counts sheet of a mailing file that has not been made: who would be in it by zone and type, and who would be left out and why. */
export const exportCounts = useCase({
  permission: 'mailing-file:make',
  input: MailingFileInput,
  transaction: 'none',
  async run(ctx, input): Promise<DownloadFile> {
    const sheet = await countMailing(ctx, input)
    const text = byteOrderMark + countsCsv(sheet)
    return { fileName: downloadName(sheet.publication, sheet.on, '_counts'), chunks: textChunks(text) }
  },
})
