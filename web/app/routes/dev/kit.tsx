import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { invalid, notFound } from '#core/kernel/errors.ts'
import { PageInput, pageOf } from '#core/kernel/paging.ts'
import { KitDialogs } from '#web/app/components/kit/kit-dialogs.tsx'
import { KitFields } from '#web/app/components/kit/kit-fields.tsx'
import { KitForm } from '#web/app/components/kit/kit-form.tsx'
import { KitLists, type KitRow } from '#web/app/components/kit/kit-lists.tsx'
import { KitSigns } from '#web/app/components/kit/kit-signs.tsx'
import { PublicFrame } from '#web/app/components/layout/public-frame.tsx'
import { readForm, submit } from '#web/app/http/form.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { noIndex } from '#web/app/http/no-index.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const meta: MetaFunction = () => [{ title: 'Design kit – Masthead' }, noIndex]

/** Sample rows: invented titles, always the same. */
const samples: KitRow[] = Array.from({ length: 43 }, (_, index) => ({
  id: index + 1,
  name: `${['The Gardener', 'Harbour Light', 'Narrow Gauge', 'Bread & Salt'][index % 4]} ${index + 1}`,
  copies: 1_000 + ((index * 377) % 900),
}))

function outsideProduction({ services }: AppLoadContext): void {
  if (services.settings.isProduction) throw notFound('The page')
}

export function loader({ request, context }: LoaderFunctionArgs) {
  outsideProduction(context)
  const paging = PageInput.parse(listParams(request))
  const sort = ['name', '-name', 'copies', '-copies'].includes(paging.sort ?? '') ? (paging.sort ?? '') : 'name'
  const order = sort.endsWith('copies')
    ? (a: KitRow, b: KitRow) => a.copies - b.copies
    : (a: KitRow, b: KitRow) => a.name.localeCompare(b.name)
  const rows = samples.toSorted(sort.startsWith('-') ? (a, b) => order(b, a) : order)
  const first = (paging.page - 1) * paging.size
  return { page: pageOf(rows.slice(first, first + paging.size), rows.length, paging), sort }
}

export async function action({ request, context }: ActionFunctionArgs) {
  outsideProduction(context)
  const values = await readForm(request)
  return submit(context, values, async () => {
    if (!values.word?.trim()) throw invalid({ word: 'Enter a word' })
    return redirectWithToast(context, '/testst/', { kind: 'success', text: `Saved “${values.word.trim()}”` })
  })
}

export default function Kit() {
  const { page, sort } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <PublicFrame>
      <div className="mx-auto max-w-5xl space-y-5 py-10">
        <div>
          <h1 className="text-h2">Design kit</h1>
          <p className="mt-1 text-body text-ink-2">Every base component in its states. Not available in production.</p>
        </div>
        <KitForm problem={problem} />
        <KitSigns />
        <KitFields />
        <KitDialogs />
        <KitLists page={page} sort={sort} />
      </div>
    </PublicFrame>
  )
}
