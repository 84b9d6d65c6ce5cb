import type { LoaderFunctionArgs } from '@remix-run/node'
import { textChunks } from '#core/downloads/download-file.ts'
import { notFound } from '#core/kernel/errors.ts'
import { makeJournal } from '#core/ledger/make-journal.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** One file of a month's journals. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadJournal')
  const params = new URL(request.url).searchParams
  return sendDownload(ctx, request, async () => {
    const { files } = await makeJournal(ctx, {
      month: params.get('month') ?? '',
      layout: params.get('layout') ?? undefined,
    })
    const file = files.find(({ fileName }) => fileName === params.get('file')) ?? files[0]
    if (!file) throw notFound('The journal')
    return { fileName: file.fileName, chunks: textChunks(file.text) }
  })
}
