import type { DownloadFile } from '../downloads/download-file.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { useCase } from '../use-case.ts'
import { countsCsv } from './counts-sheet.rules.ts'
import { MailingFileInput } from './mailing-file.input.ts'
import { type MailingFile, makeMailingFile } from './make-mailing-file.ts'
import { type ZipPiece, zipStream } from './zip-stream.ts'

/** A mailing file as one zip: a file for each zone, and the counts sheet of the same run with the hash of each. */
export const makeMailingZip = useCase({
  permission: 'mailing-file:make',
  input: MailingFileInput.transform((input) => ({ ...input, split: true, dryRun: false })),
  transaction: 'none',
  async run(ctx, input): Promise<DownloadFile> {
    const mailing = await makeMailingFile(ctx, input)
    const { publication } = mailing.counts()
    return {
      fileName: downloadName(publication, mailing.on, '', 'zip'),
      type: 'application/zip',
      rows: mailing.rows,
      chunks: zipStream(filesOf(mailing, downloadName(publication, mailing.on, '_counts')), ctx.now()),
    }
  },
})

/** The sheet comes last: it is complete once the files are. */
async function* filesOf(mailing: MailingFile, sheetName: string): AsyncGenerator<ZipPiece> {
  for await (const { file, bytes } of mailing.fileChunks) yield { name: mailing.files[file]?.name ?? '', bytes }
  yield { name: sheetName, bytes: Buffer.from(countsCsv(mailing.counts())) }
}
