import type { DownloadFile } from '../downloads/download-file.ts'
import { byteOrderMark, csvText } from '../kernel/csv-text.ts'
import { printDay } from '../kernel/dates.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { conflict } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { CirculationInput, circulation } from './circulation.query.ts'
import { circulationRows } from './circulation.rules.ts'

/** Circulation of a day by country, as a file; refused where it is not known. */
export const exportCirculation = useCase({
  permission: 'circulation:read',
  input: CirculationInput,
  transaction: 'none',
  async run(ctx, { on, ...asked }): Promise<DownloadFile> {
    const { counts, title, notKnown, ...counted } = await circulation(ctx, { ...asked, on: on ?? '' })
    if (!counts) {
      throw conflict(`The circulation of ${printDay(counted.on)} is not known`, {
        hint: notKnown
          .map(({ publicationName, from }) => `${publicationName}: known from ${printDay(from)}`)
          .join('; '),
      })
    }
    async function* chunks() {
      yield byteOrderMark + csvText(circulationRows(title, counted.on, counts as NonNullable<typeof counts>))
    }
    return { fileName: downloadName(title, counted.on, '_circulation'), chunks: chunks() }
  },
})
