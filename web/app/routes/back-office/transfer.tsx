import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { useId, useState } from 'react'
import { notFound } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { listLayouts } from '#core/mailing/list-layouts.query.ts'
import { checkTransfer, type TransferCheck } from '#core/transfers/check-transfer.ts'
import { getTransfer, maxRuns } from '#core/transfers/list-transfers.query.ts'
import { ownTransfer } from '#core/transfers/own-transfer.ts'
import { runTransfer } from '#core/transfers/run-transfer.ts'
import { changeTransfer, confirmHostKey, removeTransfer } from '#core/transfers/save-transfer.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { RunLog } from '#web/app/components/transfers/run-log.tsx'
import { TransferForm } from '#web/app/components/transfers/transfer-form.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { ConfirmButton } from '#web/app/components/ui/confirm-button.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Form, type Refusal, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { outdatedForm, readForm, submit } from '#web/app/http/form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { transferValues } from '#web/app/http/transfer-form.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  // The publication's name is in the heading below: with it, four breadcrumbs would be truncated to a few letters each at 1280 px.
  crumbs: ({ transfer: { publicationId } }) => [
    { label: 'Manage Data', to: `/managedata?publication=${publicationId}` },
    { label: 'Transfers', to: `/managedata/transfers/${publicationId}` },
    { label: 'Transfer' },
  ],
}

export const meta: MetaFunction = () => [{ title: 'Transfer – Masthead' }]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'transfer')
  const transfer = await getTransfer(ctx, { transferId: idParam(params.transferId, 'The transfer') })
  const { publicationId } = transfer
  if (publicationId !== idParam(params.publicationId, 'The publication')) throw notFound('The transfer')
  const layouts = await listLayouts(ctx, { publicationId })
  return { transfer, maxRuns, layouts: layouts.map(({ name }) => name), timeZone: ctx.settings.timeZone }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'transfer')
  const transferId = idParam(params.transferId, 'The transfer')
  const values = await readForm(request)
  // Authorises before validating the form.
  const { publicationId } = await ownTransfer(ctx, transferId)
  const list = `/managedata/transfers/${publicationId}`
  const redirectBack = (text: string, to = `${list}/${transferId}`) =>
    redirectWithToast(context, to, { kind: 'success', text })
  return submit(context, values, async () => {
    switch (values.intent) {
      case 'change':
        await changeTransfer(ctx, { ...transferValues(values), transferId })
        return redirectBack('Transfer saved')
      case 'check':
        return data({ check: await checkTransfer(ctx, { transferId }) })
      case 'confirm':
        await confirmHostKey(ctx, { transferId, hostKey: values.hostKey })
        return redirectBack('Host key confirmed')
      case 'run':
        await runTransfer(ctx, { transferId })
        return redirectBack('Transfer started: reload the page to see the result')
      case 'remove':
        await removeTransfer(ctx, { transferId })
        return redirectBack('Transfer removed', list)
      default:
        throw outdatedForm()
    }
  })
}

export default function TransferPage() {
  const { transfer, maxRuns, layouts, timeZone } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const problem = problemOf(actionData)
  const check = (actionData as { check?: TransferCheck } | undefined)?.check
  const { kind, protocol, name, publicationName, people } = transfer
  const [isDirty, setDirty] = useState(false)
  const reasonId = useId()
  const blockedBy = isDirty ? reasonId : undefined
  return (
    <>
      <PageHeader title="Transfer" note={`${name}, ${publicationName}`} />
      <div className="max-w-4xl space-y-6">
        {check && check.kind !== 'host-key' && <CheckResult check={check} />}
        {protocol === 'sftp' && <HostKey {...transfer} problem={problem} blockedBy={blockedBy} />}
        <TransferActions problem={problem} blockedBy={blockedBy} />
        <Section title="Log">
          <RunLog runs={transfer.runs} publicationId={transfer.publicationId} timeZone={timeZone} />
          {transfer.runs.length === maxRuns && (
            <p className="mt-3 text-table text-muted">{`Only the latest ${maxRuns} runs are shown.`}</p>
          )}
        </Section>
        <Section title="Settings">
          <TransferForm
            kind={kind}
            protocol={protocol}
            transfer={transfer}
            people={people}
            layouts={layouts}
            timeZone={timeZone}
            problem={problem}
            onDirty={setDirty}
          />
        </Section>
      </div>
    </>
  )
}

/** The number of files of a check that are listed. */
const maxFiles = 20

/** The result of a connection check. */
function CheckResult({ check }: { check: Exclude<TransferCheck, { kind: 'host-key' }> }) {
  if (check.kind === 'mailing-file')
    return (
      <Banner tone="success" title="The connection works">
        <p>Today’s mailing file would have {countOf(check.readers, 'reader')}. Nothing was sent.</p>
      </Banner>
    )
  return (
    <Banner tone="success" title="The connection works">
      <p>{check.files.length === 0 ? 'There is nothing new to fetch.' : 'The next run would fetch:'}</p>
      <ul className="list-disc pl-5">
        {check.files.slice(0, maxFiles).map((file) => (
          <li key={file.name} className="wrap-anywhere">
            {file.name}
            {file.isGrowing && ' (still changing)'}
          </li>
        ))}
        {check.files.length > maxFiles && <li>and {countOf(check.files.length - maxFiles, 'more file')}</li>}
      </ul>
    </Banner>
  )
}

interface ActionProps {
  problem: Refusal | undefined
  /** The id of the text that says that settings are unsaved; undefined if there is none. The buttons use the stored settings and reset the form. */
  blockedBy: string | undefined
}

const disabledBy = (blockedBy: string | undefined) =>
  blockedBy === undefined ? {} : { isDisabled: true, 'aria-describedby': blockedBy }

interface HostKeyProps extends ActionProps {
  hostKey: string | null
  seenHostKey: string | null
}

function HostKey({ hostKey, seenHostKey, problem, blockedBy }: HostKeyProps) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'confirm' },
    hidden: { hostKey: seenHostKey ?? '' },
    failure: 'Host key not confirmed',
  })
  return (
    <Section title="Host key">
      {hostKey === null ? (
        <p className="text-body">The server’s host key is not confirmed yet. Until it is, nothing is sent.</p>
      ) : (
        <p className="text-body wrap-anywhere">
          Confirmed: <code>{hostKey}</code>
        </p>
      )}
      {seenHostKey === null ? (
        hostKey === null && <p className="mt-2 text-body">Check the connection to see the host key.</p>
      ) : (
        <Form form={form} className="mt-3 space-y-3">
          <p className="text-body wrap-anywhere">
            The server shows <code>{seenHostKey}</code>. Compare it with the key that the server’s operator gave you.
          </p>
          <SubmitButton kind="secondary" {...disabledBy(blockedBy)}>
            Confirm this key
          </SubmitButton>
        </Form>
      )}
    </Section>
  )
}

function TransferActions({ problem, blockedBy }: ActionProps) {
  const check = useForm({ problem, identifiedBy: { intent: 'check' }, failure: 'The connection does not work' })
  const run = useForm({ problem, identifiedBy: { intent: 'run' }, failure: 'Transfer not started' })
  const remove = useForm({ problem, identifiedBy: { intent: 'remove' }, failure: 'Transfer not removed' })
  return (
    <div className="flex flex-wrap gap-2">
      <Form form={check}>
        <SubmitButton kind="secondary" {...disabledBy(blockedBy)}>
          Check connection
        </SubmitButton>
      </Form>
      <Form form={run}>
        <SubmitButton kind="secondary" {...disabledBy(blockedBy)}>
          Run now
        </SubmitButton>
      </Form>
      <Form form={remove}>
        <ConfirmButton
          form={remove}
          isDangerous
          label="Remove"
          title="Remove this transfer?"
          text="It will no longer run, and its password or key will be deleted. What it has imported or sent is not affected."
          blockedBy={blockedBy}
        />
      </Form>
      {blockedBy && (
        <p id={blockedBy} className="w-full text-caption text-muted">
          Save your changes below first: these buttons use the stored settings.
        </p>
      )}
    </div>
  )
}
