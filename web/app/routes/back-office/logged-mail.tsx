import { randomUUID } from 'node:crypto'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { can } from '#core/access/permissions.ts'
import { getSentMail } from '#core/emails/mail-log.query.ts'
import { resendMail } from '#core/emails/resend-mail.ts'
import { tryMailAddress } from '#core/emails/try-mail-address.ts'
import { MailPreviewPane } from '#web/app/components/emails/mail-preview.tsx'
import { MailStateCell } from '#web/app/components/emails/mail-state.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Fact, Facts, Section } from '#web/app/components/ui/facts.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { withLocalPictures } from '#web/app/http/mail-preview.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ mail: { publicationId, publicationName, title } }) => [
    { label: 'Email templates', to: '/emailtemplates' },
    { label: publicationName, to: `/emailtemplates/${publicationId}` },
    { label: 'Mail log', to: `/maillog/${publicationId}` },
    { label: title },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${data?.isRefused ? 'Error: ' : ''}${data?.mail.title ?? ''} to ${data?.mail.to || 'a removed reader'} – Masthead`,
  },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'loggedMail')
  const mail = await getSentMail(ctx, { id: idParam(params.emailId, 'The email') })
  return {
    mail: { ...mail, body: mail.body && withLocalPictures(ctx, mail.body) },
    mayResend: can(ctx.actor, 'mail:resend'),
    // Idempotency key of the email that this page's button sends: a double click sends one email.
    resendKey: randomUUID(),
    retentionDays: ctx.settings.mailBodyDays,
    timeZone: ctx.settings.timeZone,
    isRefused: wasRefused(context),
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'loggedMail')
  // Another publisher's email is a 404, regardless of the form's content.
  const { id, publicationId } = await getSentMail(ctx, { id: idParam(params.emailId, 'The email') })
  const values = await readForm(request)
  return submit(context, values, async () => {
    if (values.intent === 'try-address') {
      const { to } = await tryMailAddress(ctx, { id })
      return redirectWithToast(context, `/maillog/${publicationId}/${id}`, {
        kind: 'success',
        text: `Emails to ${to} are no longer blocked`,
      })
    }
    const { to, title } = await resendMail(ctx, { id, key: values.key })
    return redirectWithToast(context, `/maillog/${publicationId}`, {
      kind: 'success',
      text: `${title} was sent to ${to} again`,
    })
  })
}

export default function LoggedMailPage() {
  const { mail, mayResend, resendKey, retentionDays, timeZone } = useLoaderData<typeof loader>()
  const { at, title, subject, to, reader, orderId, body } = mail
  return (
    <>
      <PageHeader title={title} note={mail.publicationName} />
      <div className="grid items-start gap-4 xl:grid-cols-[22rem_minmax(0,1fr)]">
        <div className="space-y-4">
          <Section title="The email">
            <Facts>
              <Fact label="Sent to" isWide>
                <span className="wrap-anywhere">{to || 'A removed reader'}</span>
              </Fact>
              <Fact label="When">
                <Moment at={at} timeZone={timeZone} />
              </Fact>
              <Fact label="Status">
                <MailStateCell {...mail} />
              </Fact>
              <Fact label="Subject" isWide>
                {subject}
              </Fact>
              {mail.answer && (
                <Fact label="Mail server’s response" isWide>
                  {mail.answer}
                </Fact>
              )}
              {reader && (
                <Fact label="Reader">
                  <Link to={`/editreader/${reader.id}`} className="link">
                    {reader.name}
                  </Link>
                </Fact>
              )}
              {orderId !== null && (
                <Fact label="Order">
                  <Link to={`/orderDetails/${orderId}`} className="link">
                    Open the order
                  </Link>
                </Fact>
              )}
            </Facts>
          </Section>
          {mayResend && mail.addressProblem && <TryAddress to={to} problem={mail.addressProblem} />}
          {mayResend && <Resend formKey={resendKey} cannotResend={mail.cannotResend} />}
        </div>
        {body ? (
          <div>
            <MailPreviewPane preview={{ subject, ...body }} heading="Email as sent" />
            <p className="mt-2 text-table text-muted">Links that give the reader access are not shown here.</p>
          </div>
        ) : (
          <Section title="Email as sent">
            <p className="text-body text-ink-2">
              {retentionDays === 0
                ? 'This installation does not keep the text of emails.'
                : `The text of an email is kept for ${retentionDays} days after it was sent.`}
            </p>
          </Section>
        )}
      </div>
    </>
  )
}

const addressProblems = {
  bounces: (to: string) => `No emails are sent to ${to}: emails to this address bounce.`,
  complained: (to: string) => `Reminders and offers are not sent to ${to}: the recipient reported an email as spam.`,
  refused: (to: string) => `The mail server refused this email to ${to}, so it will not be sent to this address again.`,
}

function TryAddress({ to, problem }: { to: string; problem: keyof typeof addressProblems }) {
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    failure: 'Address not changed',
    identifiedBy: { intent: 'try-address' },
  })
  return (
    <Section title="Address">
      <Form form={form} className="space-y-3">
        <p className="wrap-anywhere text-body text-ink-2">
          {addressProblems[problem](to)} If the address is correct, emails can be sent to it again, until one bounces.
        </p>
        <FormButtons>
          <SubmitButton>Try this address again</SubmitButton>
        </FormButtons>
      </Form>
    </Section>
  )
}

function Resend({ formKey, cannotResend }: { formKey: string; cannotResend: string | null }) {
  const problem = problemOf(useActionData<typeof action>())
  const form = useForm({
    problem,
    labels: {},
    values: {},
    failure: 'Email not sent again',
    identifiedBy: { intent: 'resend' },
    keys: { key: formKey },
  })
  return (
    <Section title="Send this email again">
      {cannotResend === null ? (
        <Form form={form} className="space-y-3">
          <p className="text-body text-ink-2">
            The email is created again with today’s data and sent to the address that is on record now.
          </p>
          <FormButtons>
            <SubmitButton>Send again</SubmitButton>
          </FormButtons>
        </Form>
      ) : (
        <p className="text-body text-ink-2">{cannotResend}</p>
      )}
    </Section>
  )
}
