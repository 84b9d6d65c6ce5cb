import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { can } from '#core/access/permissions.ts'
import { type DeliveryFigures, deliveryFigures } from '#core/bounces/delivery-figures.query.ts'
import { publicationMarks } from '#core/bounces/reader-marks.query.ts'
import { tryPublicationAddresses } from '#core/bounces/try-address-again.ts'
import { type ListedMail, listEmails } from '#core/emails/mail-texts.query.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { ownPublication } from '#core/publications/own-publication.ts'
import { countWarning } from '#core/warnings/count-warnings.query.ts'
import { LastChange } from '#web/app/components/emails/last-change.tsx'
import { editorPath, textLanguages } from '#web/app/components/emails/mail-editor.ts'
import { MarkedAddresses } from '#web/app/components/emails/marked-addresses.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Badge } from '#web/app/components/ui/badge.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { Fact, Facts, Section } from '#web/app/components/ui/facts.tsx'
import { readForm, submit } from '#web/app/http/form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ publicationName }) => [{ label: 'Email templates', to: '/emailtemplates' }, { label: publicationName }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Emails of ${data?.publicationName ?? ''} – Masthead` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'emailTemplates')
  const publicationId = idParam(params.publicationId, 'The publication')
  const { publicationName } = await ownPublication(ctx, { id: publicationId })
  return {
    publicationId,
    publicationName,
    emails: await listEmails(ctx, { publicationId }),
    figures: await deliveryFigures(ctx, { publicationId }),
    bounced: (await countWarning(ctx, { publicationId, list: 'bouncedemails' })).count,
    marks: await publicationMarks(ctx, { id: publicationId }),
    mayTryAddresses: can(ctx.actor, 'mail:resend'),
    timeZone: ctx.settings.timeZone,
  }
}

/** The page has one action: emails are sent again to the publication's own addresses. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'emailTemplates')
  const id = idParam(params.publicationId, 'The publication')
  const values = await readForm(request)
  return submit(context, values, async () => {
    await tryPublicationAddresses(ctx, { id })
    const text = 'Emails to the publication’s addresses are no longer blocked'
    return redirectWithToast(context, `/emailtemplates/${id}`, { kind: 'success', text })
  })
}

const kindNotes = {
  notice: 'Notice: every reader gets it.',
  reminder: 'Reminder: readers can opt out.',
  offer: 'Offer: only to readers who accept offers.',
} as const

export default function PublicationEmails() {
  const { publicationId, publicationName, emails, figures, bounced, marks, mayTryAddresses, timeZone } =
    useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <>
      <PageHeader
        title={`Emails of ${publicationName}`}
        note="Order details and legally required text are always included."
        actions={<LinkButton to={`/maillog/${publicationId}`}>Mail log</LinkButton>}
      />
      {problem && (
        <div className="mb-4">
          <Banner tone="danger" title={problem.message} isAlert>
            {problem.hint}
          </Banner>
        </div>
      )}
      <MarkedAddresses marks={marks} timeZone={timeZone} mayClearMarks={mayTryAddresses} />
      <Delivery publicationId={publicationId} figures={figures} bounced={bounced} />
      <ul className="space-y-3">
        {emails.map((mail) => (
          <li key={mail.name} className="card flex flex-wrap items-center justify-between gap-3 p-4">
            <div className="min-w-0">
              <h2 className="text-h3">
                <Link to={editorPath(publicationId, mail.name)} className="link">
                  {mail.title}
                </Link>
              </h2>
              <p className="text-body text-ink-2">{`${mail.sentWhen} ${kindNotes[mail.kind]}`}</p>
            </div>
            <TextState texts={mail.texts} timeZone={timeZone} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface DeliveryProps {
  publicationId: number
  figures: DeliveryFigures
  /** Readers who receive no email. */
  bounced: number
}

/** Delivery problems; nothing if there are none. */
function Delivery({ publicationId, figures: { hard, soft, blocked, complaint }, bounced }: DeliveryProps) {
  const reported = [
    { emails: hard, text: 'to an unknown address' },
    { emails: soft, text: 'temporarily not delivered' },
    { emails: blocked, text: 'blocked by a filter' },
  ].filter(({ emails }) => emails > 0)
  if (reported.length === 0 && complaint === 0 && bounced === 0) return null
  return (
    <div className="mb-6">
      <Section title="Delivery">
        <Facts>
          <Fact label="Bounced in the last 30 days">
            {reported.map(({ emails, text }) => `${countOf(emails, 'email')} ${text}`).join(', ') || 'None'}
          </Fact>
          <Fact label="Reported as spam in the last 30 days">{countOf(complaint, 'email')}</Fact>
          <Fact label="No emails are sent to">
            <Link to={`/managedata?publication=${publicationId}&view=bouncedemails`} className="link">
              {countOf(bounced, 'reader')}
            </Link>
          </Fact>
        </Facts>
      </Section>
    </div>
  )
}

function TextState({ texts, timeZone }: { texts: ListedMail['texts']; timeZone: string }) {
  if (texts.length === 0) return <Badge>Standard text</Badge>
  const names = textLanguages.filter(({ value }) => texts.some(({ language }) => language === value))
  return (
    <div className="text-right">
      <Badge tone="success">Your own text</Badge>
      <p className="mt-1 text-table text-muted">
        {names.map(({ text }) => text).join(', ')}
        {'. '}
        <LastChange texts={texts} timeZone={timeZone} />
      </p>
    </div>
  )
}
