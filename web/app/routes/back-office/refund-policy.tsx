import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { can } from '#core/access/permissions.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { afterwardsChoices } from '#core/orders/refund-policy.rules.ts'
import { getRefundPolicy, setRefundPolicy } from '#core/orders/refund-policy.ts'
import { readerHome } from '#core/readers/reader-home.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import { ledgerCrumbs } from '#web/app/components/layout/ledger-crumbs.ts'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Fact, Facts, Section } from '#web/app/components/ui/facts.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { CheckboxField, SelectField, TextField } from '#web/app/components/ui/form-fields.tsx'
import { PublicationChoice } from '#web/app/components/ui/publication-choice.tsx'
import { readForm, submit } from '#web/app/http/form.ts'
import { saveMerged } from '#web/app/http/merge-form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Refund policy'

export const handle = ledgerCrumbs(title)

export const meta: MetaFunction = () => [{ title: `${title} – Masthead` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'refundPolicy')
  const publications = (await readerHome(ctx, {})).map(({ id, publicationName }) => ({ id, publicationName }))
  const requested = new URL(request.url).searchParams.get('publication')
  const publicationId = Number(requested || publications[0]?.id) || null
  const policy = publicationId === null ? null : await getRefundPolicy(ctx, { publicationId })
  return { publications, publicationId, policy, maySet: can(ctx.actor, 'refund:policy') }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'refundPolicy')
  const values = await readForm(request)
  return submit(context, values, async () => {
    await saveMerged(values, {
      read: () => getRefundPolicy(ctx, values),
      valuesOf: policyValues,
      save: (merged, basedOn) => setRefundPolicy(ctx, { ...merged, basedOn }),
    })
    const returnTo = `/payments/refunds?${new URLSearchParams({ publication: values.publicationId ?? '' })}`
    return redirectWithToast(context, returnTo, { kind: 'success', text: 'Refund policy saved' })
  })
}

type Policy = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['policy']>

export default function RefundPolicyPage() {
  const { publications, publicationId, policy, maySet } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title={title}
        note="How much of an order is refunded, depending on its age. Refunding more requires a reason. The publisher can always refund more, as consumer law may require."
        actions={<PublicationChoice publications={publications} chosen={publicationId} />}
      />
      {publicationId === null || policy === null ? (
        <EmptyState title="No publications yet">Each publication has its own refund policy.</EmptyState>
      ) : maySet ? (
        <PolicyForm key={publicationId} publicationId={publicationId} policy={policy} />
      ) : (
        <PolicyFacts {...policy} />
      )}
    </>
  )
}

function policyValues({ wholeDays, afterwards, allowsMore }: Policy): Record<string, string> {
  return { wholeDays: String(wholeDays), afterwards, allowsMore: String(allowsMore) }
}

function PolicyForm({ publicationId, policy }: { publicationId: number; policy: Policy }) {
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    hidden: { publicationId: String(publicationId) },
    labels: {
      wholeDays: 'Refund the whole amount within',
      afterwards: 'After that, refund',
      allowsMore: 'Staff may refund more',
    },
    values: policyValues(policy),
    isMerged: true,
    failure: 'Not saved',
  })
  return (
    <Form form={form} className="card max-w-2xl space-y-4 p-4 lg:p-6">
      {!policy.isSet && (
        <p className="text-body text-ink-2">
          No policy is saved for this title: any refund is allowed. The values below are suggestions.
        </p>
      )}
      <TextField
        name="wholeDays"
        isRequired
        maxLength={3}
        inputMode="numeric"
        hint="Days after the order; 0 for never. In the UK and the EU consumers may cancel an order within 14 days, whatever is entered here."
      />
      <SelectField
        name="afterwards"
        isRequired
        options={Object.entries(afterwardsChoices).map(([value, label]) => ({ value, label }))}
      />
      <CheckboxField name="allowsMore" label="Staff may refund more than that, with a reason" />
      <FormButtons>
        <SubmitButton>Save refund policy</SubmitButton>
      </FormButtons>
    </Form>
  )
}

function PolicyFacts({ isSet, wholeDays, afterwards, allowsMore }: Policy) {
  if (!isSet)
    return (
      <Section title="What is refunded">
        <p className="text-body text-ink-2">No policy is saved for this title: any refund is allowed.</p>
      </Section>
    )
  return (
    <Section title="What is refunded">
      <Facts>
        <Fact label="The whole amount">
          {wholeDays === 0 ? 'Never' : `Within ${countOf(wholeDays, 'day')} of the order`}
        </Fact>
        <Fact label="After that">{afterwardsChoices[afterwards]}</Fact>
        <Fact label="Staff may refund more">{allowsMore ? 'Yes, with a reason' : 'No, only the publisher may'}</Fact>
      </Facts>
    </Section>
  )
}
