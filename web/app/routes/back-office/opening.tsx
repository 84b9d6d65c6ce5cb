import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, Form as PlainForm, useActionData, useLoaderData } from '@remix-run/react'
import { formatDay } from '#core/kernel/dates.ts'
import { type FieldErrors, isAppError } from '#core/kernel/errors.ts'
import type { Currency } from '#core/kernel/money.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { getOpeningBalances } from '#core/ledger/get-opening-balances.query.ts'
import { exclusionReasons } from '#core/ledger/opening.rules.ts'
import {
  previewOpeningBalances,
  type TakenOverBalances,
  takeOverOpeningBalances,
  undoOpeningBalances,
} from '#core/ledger/take-over-opening-balances.ts'
import { readerHome } from '#core/readers/reader-home.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import { ledgerCrumbs } from '#web/app/components/layout/ledger-crumbs.ts'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Button, LinkButton } from '#web/app/components/ui/button.tsx'
import { ConfirmButton } from '#web/app/components/ui/confirm-button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Field } from '#web/app/components/ui/field.tsx'
import { Form, FormButtons, useForm } from '#web/app/components/ui/form.tsx'
import { Moment, Money } from '#web/app/components/ui/formats.tsx'
import { GoneFormProblem } from '#web/app/components/ui/gone-form-problem.tsx'
import { Input } from '#web/app/components/ui/inputs.tsx'
import { PublicationField } from '#web/app/components/ui/publication-field.tsx'
import { readForm, submit } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Opening balances'

export const handle = ledgerCrumbs(title)

export const meta: MetaFunction = () => [{ title: `${title} – Masthead` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'opening')
  const params = new URL(request.url).searchParams
  const publications = (await readerHome(ctx, {})).map(({ id, publicationName }) => ({ id, publicationName }))
  const publicationId = Number(params.get('publication') || publications[0]?.id) || null
  const on = params.get('on')?.trim() ?? ''
  const noBalances = { taken: null, preview: null, dayError: null }
  const page = { publications, publicationId, on, timeZone: ctx.settings.timeZone }
  if (publicationId === null) return { ...page, ...noBalances }
  const taken = await getOpeningBalances(ctx, { publicationId })
  if (taken) return { ...page, ...noBalances, taken: { ...taken, takenAt: taken.takenAt.toISOString() } }
  if (on === '') return { ...page, ...noBalances }
  let errors: FieldErrors = {}
  const preview = await previewOpeningBalances(ctx, { publicationId, on }).catch((error: unknown) => {
    if (!isAppError(error) || error.kind !== 'invalid') throw error
    errors = error.fields ?? {}
    return null
  })
  return { ...page, ...noBalances, preview, dayError: errors.on ?? null }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'opening')
  const values = await readForm(request)
  return submit(context, values, async () => {
    const { intent, publication = '', on = '', readers = '' } = values
    const returnTo = `/payments/opening?${new URLSearchParams({ publication })}`
    const redirectBack = (text: string) => redirectWithToast(context, returnTo, { kind: 'success', text })
    if (intent === 'undo') {
      await undoOpeningBalances(ctx, { publicationId: publication })
      return redirectBack('Opening balances undone')
    }
    const taken = await takeOverOpeningBalances(ctx, { publicationId: publication, on, readers })
    return redirectBack(`Opening balances of ${countOf(taken.readers, 'reader')} taken over`)
  })
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>
type Taken = NonNullable<Loaded['taken']>

const productNames = { print: 'Print', digital: 'Digital', bundle: 'Print and digital' } as const

const money = <Row extends { currency: Currency }>(header: string, amountOf: (row: Row) => number): Column<Row> => ({
  header,
  isNumber: true,
  cell: (row) => <Money value={{ amount: amountOf(row), currency: row.currency }} />,
})

const readersColumn = {
  header: 'Readers',
  isNumber: true,
  cell: ({ readers }: { readers: number }) => formatCount(readers),
}
const currencyColumn = { header: 'Currency', cell: ({ currency }: { currency: Currency }) => currency }

const previewColumns: readonly Column<TakenOverBalances['sums'][number]>[] = [
  { header: 'Product', onCard: 'title', cell: ({ product }) => productNames[product] },
  currencyColumn,
  readersColumn,
  money('Paid', ({ paid }) => paid),
  money('Owed', ({ owed }) => owed),
]

const excludedColumns: readonly Column<TakenOverBalances['excluded'][number]>[] = [
  { header: 'Left out', onCard: 'title', cell: ({ reason }) => exclusionReasons[reason] },
  currencyColumn,
  readersColumn,
  money('SubPaid', ({ paid }) => paid),
]

const takenColumns: readonly Column<Taken['sums'][number]>[] = [
  { header: 'Product', onCard: 'title', cell: ({ product }) => productNames[product] },
  currencyColumn,
  readersColumn,
  money('Taken over', ({ takenOver }) => takenOver),
  money('Still owed', ({ owedNow }) => owedNow),
]

const failures = { take: 'Opening balances not taken over', undo: 'Opening balances not undone' }

export default function OpeningPage() {
  const { publications, publicationId, on, taken, preview, dayError, timeZone } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <>
      <PageHeader
        title={title}
        note="For a title that moved here from another system: the liability on the day of the move for subscriptions sold there. It is calculated once, from SubPaid, SubStart and SubExpiry."
        actions={<LinkButton to="/payments/schedule">Deferred revenue</LinkButton>}
      />
      <PlainForm method="get" className="card mb-5 flex flex-wrap items-end gap-4 p-4 lg:p-5">
        <PublicationField publications={publications} chosen={publicationId} />
        <Field
          label="Day of the move"
          name="on"
          hint="DD/MM/YYYY. Issues that are paid for but not delivered by the end of this day are owed."
          isUnmarked
          error={dayError ?? undefined}
        >
          {(control) => (
            <Input
              {...control}
              name="on"
              key={on}
              defaultValue={on}
              autoComplete="off"
              maxLength={20}
              className="max-w-40"
            />
          )}
        </Field>
        <Button type="submit">Show</Button>
      </PlainForm>
      {problem && (
        <div className="mb-4 empty:hidden">
          <GoneFormProblem
            problem={problem}
            failures={failures}
            shown={{ take: preview !== null, undo: taken !== null }}
          />
        </div>
      )}
      {taken && publicationId !== null && <TakenOver {...taken} publicationId={publicationId} timeZone={timeZone} />}
      {preview && <Preview key={`${preview.publicationId} ${preview.on}`} {...preview} />}
      {!taken && !preview && !dayError && (
        <EmptyState title="No opening balances">
          Import your readers with the amounts they paid. Then choose the day of the move to see the balances.
        </EmptyState>
      )}
    </>
  )
}

function Preview(preview: TakenOverBalances) {
  const { publicationId, publicationName, on, readers, longTerms, sums, excluded } = preview
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    identifiedBy: { intent: 'take' },
    hidden: { publication: String(publicationId), on, readers: String(readers) },
    labels: { on: 'Day of the move' },
    failure: failures.take,
  })
  return (
    <Form form={form} className="space-y-5">
      <h2 className="text-h3 font-semibold">
        {publicationName} on {formatDay(on)}
      </h2>
      <DataTable
        label="Owed to readers"
        columns={previewColumns}
        rows={sums}
        rowKey={({ currency, product }) => `${currency} ${product}`}
        sort=""
        empty={<EmptyState title="Nothing is owed">No reader has paid for a term that runs past this day.</EmptyState>}
      />
      {longTerms > 0 && (
        <Banner tone="warning">
          {countOf(longTerms, 'reader')} with a term of more than two years: SubStart must be the day that SubPaid
          counts from, not the day on which somebody became a reader.
        </Banner>
      )}
      {excluded.length > 0 && (
        <DataTable
          label="Left out"
          columns={excludedColumns}
          rows={excluded}
          rowKey={({ reason, currency }) => `${reason} ${currency}`}
          sort=""
          empty={null}
        />
      )}
      {readers > 0 && (
        <FormButtons>
          <ConfirmButton
            form={form}
            label="Take over"
            title={`Take over opening balances of ${countOf(readers, 'reader')}?`}
            text={`They are owed from ${formatDay(on)} on, and earned month by month. This is done once; later changes to readers do not affect the balances.`}
          />
        </FormButtons>
      )}
    </Form>
  )
}

function TakenOver({
  publicationId,
  on,
  readers,
  takenAt,
  takenBy,
  isUndoable,
  sums,
  timeZone,
}: Taken & { publicationId: number; timeZone: string }) {
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    identifiedBy: { intent: 'undo' },
    hidden: { publication: String(publicationId) },
    labels: {},
    failure: failures.undo,
  })
  const month = on.slice(0, 7)
  return (
    <Form form={form} className="space-y-5">
      <Banner tone="success">
        {countOf(readers, 'reader')} taken over on {formatDay(on)}, by {takenBy} (
        <Moment at={new Date(takenAt)} timeZone={timeZone} />
        ).{' '}
        <Link
          className="link"
          to={`/payments/schedule?${new URLSearchParams({ publication: String(publicationId), from: month })}`}
        >
          Deferred revenue from then on
        </Link>
      </Banner>
      <DataTable
        label="Opening balances"
        columns={takenColumns}
        rows={sums}
        rowKey={({ currency, product }) => `${currency} ${product}`}
        sort=""
        empty={null}
      />
      {isUndoable ? (
        <FormButtons>
          <ConfirmButton
            form={form}
            label="Undo"
            title="Undo the opening balances?"
            text="They will no longer count as owed, on any day. You can take them over again."
            isDangerous
          />
        </FormButtons>
      ) : (
        <p className="text-body text-ink-2">The balances cannot be undone, because their month is closed.</p>
      )}
    </Form>
  )
}
