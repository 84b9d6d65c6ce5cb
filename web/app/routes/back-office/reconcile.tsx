import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Link, Form as PlainForm, useLoaderData } from '@remix-run/react'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { getReconciliation } from '#core/reconciliation/get-reconciliation.query.ts'
import { matchLine, unmatchLine } from '#core/reconciliation/match-by-hand.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import { ledgerCrumbs } from '#web/app/components/layout/ledger-crumbs.ts'
import { MatchForm } from '#web/app/components/reconciliation/match-form.tsx'
import { PayoutTables } from '#web/app/components/reconciliation/payout-tables.tsx'
import { ReportList, ReportProgress } from '#web/app/components/reconciliation/report-list.tsx'
import { lineColumns, SumsNote, unreportedColumns } from '#web/app/components/reconciliation/unmatched-tables.tsx'
import { Button, LinkButton } from '#web/app/components/ui/button.tsx'
import { DataTable } from '#web/app/components/ui/data-table.tsx'
import { DownloadLink } from '#web/app/components/ui/download-dialog.tsx'
import { ErrorSummary } from '#web/app/components/ui/error-summary.tsx'
import { useFocusOnView } from '#web/app/components/ui/focus.ts'
import { GoneFormProblem } from '#web/app/components/ui/gone-form-problem.tsx'
import { useLastActionData } from '#web/app/components/ui/use-last-action-data.ts'
import { ChooseFile } from '#web/app/components/uploads/choose-file.tsx'
import { reportRefused, reportUploaded } from '#web/app/components/uploads/upload-texts.ts'
import { outdatedForm, readForm, submit } from '#web/app/http/form.ts'
import { isMultipart } from '#web/app/http/multipart.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { receiveReport } from '#web/app/http/report-form.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { fileProblem } from '#web/app/http/upload-form.ts'

const title = 'Reconciliation'

export const handle = ledgerCrumbs(title)

export const meta: MetaFunction = () => [{ title: `${title} – Masthead` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'reconcile')
  const reconciliation = await getReconciliation(ctx, {})
  const lineId = Number(new URL(request.url).searchParams.get('line'))
  return {
    ...reconciliation,
    chosenLine: reconciliation.unmatched.find(({ id }) => id === lineId) ?? null,
    maxBytes: ctx.settings.uploadMaxBytes,
    timeZone: ctx.settings.timeZone,
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'reconcile')
  if (isMultipart(request.headers.get('content-type') ?? '')) {
    try {
      return redirectWithToast(context, await receiveReport(ctx, request), { kind: 'success', text: reportUploaded })
    } catch (error) {
      const problem = fileProblem(context, error, reportRefused)
      if (!problem || !isAppError(error)) throw error
      return data({ problem }, { status: errorKinds[error.kind].status })
    }
  }
  const values = await readForm(request)
  return submit(context, values, async () => {
    const { intent, lineId, orderNumber } = values
    if (intent === 'match') await matchLine(ctx, { lineId, orderNumber })
    else if (intent === 'unmatch') await unmatchLine(ctx, { lineId })
    else throw outdatedForm()
    const text = intent === 'match' ? `Matched to ${orderNumber}` : 'Match undone'
    return redirectWithToast(context, '/payments/reconcile', { kind: 'success', text })
  })
}

export default function Reconcile() {
  const reconciliation = useLoaderData<typeof loader>()
  const { reports, covered, payouts, unmatched, unreported, byHand, withoutReport, chosenLine } = reconciliation
  const problem = problemOf(useLastActionData<typeof action>())
  const intent = problem?.values.intent
  // The form is far from the link that opens it.
  useFocusOnView(`${chosenLine?.id ?? ''}`, '#match h2')
  const [newest] = reports
  const isBusy = newest?.state === 'waiting' || newest?.state === 'running'
  return (
    <>
      <PageHeader
        title={title}
        note="The payments and payouts in the reports of Stripe and PayPal, matched with the ledger. A match never changes an order or its sale."
        actions={
          reports.length > 0 && (
            <DownloadLink
              href="/payments/reconciliation.csv"
              dialogTitle="Downloading reconciliation"
              about="Report lines"
            >
              Download CSV
            </DownloadLink>
          )
        }
      />
      <div className="space-y-6">
        {newest && <ReportProgress report={newest} />}
        {!isBusy && (
          <ChooseFile
            key={newest?.id ?? 0}
            explanation="Upload the itemised payout reconciliation or balance report of Stripe, or the activity download or settlement report of PayPal, as CSV. Columns are found by their names, in any order. Lines that were uploaded before are not counted twice."
            hint="When you create a report in Stripe, also include the columns payment_intent_id and automatic_payout_id; in PayPal, Invoice Number and Balance."
            sendTo="/payments/reconcile/file"
            maxBytes={reconciliation.maxBytes}
            problem={intent === undefined ? problem : undefined}
            open={null}
          />
        )}
        <PayoutTables
          payouts={payouts}
          hasMore={reconciliation.hasMorePayouts}
          unreconciled={reconciliation.unreconciled}
          waiting={reconciliation.waiting}
        />
        {problem && (
          <GoneFormProblem
            problem={problem}
            failures={{ match: 'Not matched' }}
            shown={{ match: chosenLine !== null }}
          />
        )}
        {chosenLine && (
          <MatchForm key={chosenLine.id} line={chosenLine} problem={intent === 'match' ? problem : undefined} />
        )}
        {reports.length > 0 && (
          <section>
            <h2 className="mb-2 text-h3 font-semibold">In a report, not in the ledger</h2>
            <SumsNote sums={reconciliation.unmatchedSums} shown={unmatched.length} />
            <DataTable
              label="Report lines without a matching order"
              columns={lineColumns((line) => (
                <LinkButton to={`?line=${line.id}#match`} size="small">
                  Choose order
                </LinkButton>
              ))}
              rows={unmatched}
              rowKey={({ id }) => id}
              sort="-occurredOn"
              empty={<p className="text-body text-ink-2">None: every line matches an order.</p>}
            />
          </section>
        )}
        {covered.length > 0 && (
          <section>
            <h2 className="mb-2 text-h3 font-semibold">In the ledger, not in a report</h2>
            <SumsNote sums={reconciliation.unreportedSums} shown={unreported.length} covered={covered} />
            <DataTable
              label="Ledger entries that are in no report"
              columns={unreportedColumns}
              rows={unreported}
              // An order may have two refunds of the same amount.
              rowKey={(entry) => unreported.indexOf(entry)}
              sort="-order"
              empty={<p className="text-body text-ink-2">None.</p>}
            />
            {withoutReport.length > 0 && <SumsNote sums={withoutReport} isWithoutReport />}
          </section>
        )}
        {(byHand.length > 0 || (problem && intent === 'unmatch')) && (
          <section>
            <h2 className="mb-2 text-h3 font-semibold">Matched by hand</h2>
            {problem && intent === 'unmatch' && (
              <div className="mb-3">
                <ErrorSummary refusal={problem} message={problem.message} hint={problem.hint} />
              </div>
            )}
            <DataTable
              label="Lines matched by hand"
              columns={lineColumns((line) => (
                <PlainForm method="post">
                  <input type="hidden" name="intent" value="unmatch" />
                  <input type="hidden" name="lineId" value={line.id} />
                  <Button type="submit" size="small" kind="quiet">
                    Undo<span className="sr-only"> the match of {line.lineKey}</span>
                  </Button>
                </PlainForm>
              ))}
              rows={byHand}
              rowKey={({ id }) => id}
              sort="-occurredOn"
              empty={null}
            />
            {reconciliation.moreByHand && (
              <p className="mt-2 text-table text-muted">The latest 100 lines are shown. The CSV has them all.</p>
            )}
          </section>
        )}
        {reports.length > 0 && (
          <ReportList reports={reports} hasMore={reconciliation.hasMoreReports} timeZone={reconciliation.timeZone} />
        )}
        <p className="text-table text-muted">
          Providers’ fees and payouts are posted with the journal of their month: see{' '}
          <Link to="/payments/schedule" className="link">
            Deferred revenue
          </Link>
          .
        </p>
      </div>
    </>
  )
}
