import { useCase } from '../use-case.ts'
import type { CountsSheet } from './counts-sheet.rules.ts'
import { MailingFileInput } from './mailing-file.input.ts'
import { makeMailingFile } from './make-mailing-file.ts'

/** Who would be in a mailing file and who would be left out, without making it: included and left out together are all readers. */
export const countMailing = useCase({
  permission: 'mailing-file:make',
  input: MailingFileInput.transform((input) => ({ ...input, dryRun: true })),
  transaction: 'none',
  async run(ctx, input): Promise<CountsSheet> {
    const mailing = await makeMailingFile(ctx, input)
    for await (const _ of mailing.fileChunks);
    return mailing.counts()
  },
})
