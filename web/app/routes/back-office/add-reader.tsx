import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import {
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunction,
  useActionData,
  useFetcher,
  useLoaderData,
  useNavigate,
  useNavigation,
} from '@remix-run/react'
import { useRef, useState } from 'react'
import { addReader } from '#core/readers/add-reader.ts'
import { newReaderForm } from '#core/readers/new-reader-form.ts'
import { similarReaders } from '#core/readers/similar-readers.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { ReaderForm } from '#web/app/components/readers/reader-form.tsx'
import { newReaderValues, readerInput } from '#web/app/components/readers/reader-values.ts'
import { SimilarNotice } from '#web/app/components/readers/similar-notice.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { useFormKey } from '#web/app/components/ui/form-key.ts'
import { isQueryIntent, similarIntent } from '#web/app/components/ui/query-intent.ts'
import { countryChoices } from '#web/app/http/country-choices.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

type Loaded = Awaited<ReturnType<typeof loader>>

export const handle: CrumbHandle<Loaded> = {
  crumbs: ({ facts }) => [
    { label: 'Readers', to: '/readers' },
    { label: facts.publicationName, to: `/searchreaders/${facts.publicationId}` },
    { label: 'Add reader' },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Add reader – Masthead` },
]

export const shouldRevalidate: ShouldRevalidateFunction = ({ formData, defaultShouldRevalidate }) =>
  !isQueryIntent(formData) && defaultShouldRevalidate

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'addReader')
  const facts = await newReaderForm(ctx, { publicationId: idParam(params.publicationId, 'The publication') })
  return { facts, countries: countryChoices, isRefused: wasRefused(context) }
}

export async function action({ request, context, params }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'addReader')
  const publicationId = idParam(params.publicationId, 'The publication')
  const values = await readForm(request)
  if (values.intent === similarIntent) return { similar: await similarReaders(ctx, { ...values, publicationId }) }
  return submit(context, values, async () => {
    const { referenceOffered } = values
    const unlessSimilar = values.anyway !== '1'
    const added = await addReader(ctx, { ...readerInput(values), publicationId, referenceOffered, unlessSimilar })
    if (added.id === null) return data({ blockedBy: added.similar, values }, { status: 409 })
    return redirectWithToast(context, `/editreader/${added.id}`, {
      kind: 'success',
      text: 'New Reader added',
      detail: `Unique reference ${added.uniqueReference}`,
      action: { label: 'Add another', to: `/addreader/${publicationId}` },
    })
  })
}

/** If the search for similar readers fails, the result is empty: an error page would replace the form and lose what was typed. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const sent = request.clone()
  try {
    return await serverAction<typeof action>()
  } catch (error) {
    // A response is a redirect, such as to the log-in.
    const isSearch = !(error instanceof Response) && (await sent.formData()).get('intent') === similarIntent
    if (!isSearch) throw error
    return { similar: [] }
  }
}

/** The fields that identify a person: when one of them loses focus, similar readers are searched for. */
const identifyingFields = [
  'firstName',
  'lastName',
  'fullName',
  'email',
  'companyName',
  'addressOne',
  'postCode',
  'telephone',
]

export default function AddReader() {
  const { facts, countries } = useLoaderData<typeof loader>()
  const key = useFormKey()
  return <NewReader key={key} initialFacts={facts} countries={countries} />
}

function NewReader({ initialFacts, countries }: { initialFacts: Loaded['facts']; countries: Loaded['countries'] }) {
  const navigate = useNavigate()
  // The reference generated when the form was opened: a new one would look as if it had been typed.
  const [facts] = useState(initialFacts)
  const actionData = useActionData<typeof action>()
  const problem = problemOf(actionData)
  const refused = actionData && 'blockedBy' in actionData ? actionData : undefined
  const sent = problem?.values ?? refused?.values
  const { similar, search } = useSimilar()
  const isPending = useNavigation().formData?.get('anyway') === '1'
  const { publicationId, publicationName, findsAddresses, mainCurrency, ...otherFacts } = facts
  return (
    <div className="max-w-4xl">
      <PageHeader title="Add reader" note={publicationName} />
      <ReaderForm
        readerId={null}
        values={sent ?? newReaderValues(facts)}
        problem={problem}
        facts={{
          ...otherFacts,
          countries,
          currency: mainCurrency,
          lookupPath: findsAddresses ? '/readers/addresses' : null,
        }}
        hidden={{ referenceOffered: facts.referenceOffered }}
        onDiscard={() => navigate('.', { replace: true, preventScrollReset: true })}
        onLeaveField={search}
        notice={refused && <SimilarNotice similar={refused.blockedBy} isBlocking isPending={isPending} />}
        hint={!refused && <SimilarNotice similar={similar} isBlocking={false} isPending={false} />}
        atFoot={
          <LinkButton to={`/searchreaders/${publicationId}`} kind="quiet">
            Cancel
          </LinkButton>
        }
      />
    </div>
  )
}

/** Similar readers: searched for when an identifying field loses focus with a changed value. */
function useSimilar() {
  const fetcher = useFetcher<typeof action>()
  const lastKey = useRef('')
  const similar = fetcher.data && 'similar' in fetcher.data ? fetcher.data.similar : undefined
  return {
    similar: similar ?? [],
    search: (form: HTMLFormElement, name: string) => {
      if (!identifyingFields.includes(name)) return
      const typed = new FormData(form)
      const key = JSON.stringify(identifyingFields.map((field) => typed.get(field)))
      if (key === lastKey.current) return
      lastKey.current = key
      typed.set('intent', similarIntent)
      fetcher.submit(typed, { method: 'post' })
    },
  }
}
