import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import {
  makeContactQuestion,
  submitContactRequest,
  submitPlainContactRequest,
} from '#core/contact/submit-contact-request.ts'
import { ContactForm } from '#web/app/components/site/contact-form.tsx'
import { SiteFrame } from '#web/app/components/site/site-frame.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { siteMeta } from '#web/app/http/site-meta.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  siteMeta(data, {
    title: 'Get in touch – Masthead',
    description: 'Ask about plans, moving your readers here, or more than ten titles.',
  })

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = visitorContext(context)
  return {
    question: await makeContactQuestion(ctx, {}),
    contactEmail: ctx.settings.contactEmail,
    url: `${ctx.settings.appUrl}/contactme`,
    isRefused: wasRefused(context),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = visitorContext(context)
  const values = await readForm(request)
  // A browser with scripts has solved the captcha instead of the question.
  const sendRequest = values.captcha ? submitContactRequest : submitPlainContactRequest
  return submit(context, values, async () => sendRequest(ctx, values))
}

export default function Contact() {
  const { question, contactEmail } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const thanks = actionData && 'message' in actionData ? actionData.message : undefined
  return (
    <SiteFrame>
      <div className="mx-auto grid max-w-6xl gap-x-16 gap-y-10 px-4 py-12 md:px-6 md:py-20 lg:grid-cols-[5fr_6fr]">
        <div>
          <h1 className="font-serif text-store-h1 md:text-landing">Get in touch</h1>
          <p className="mt-5 max-w-md text-lead text-ink-2">
            Ask about plans, about moving your readers here, or about more than ten titles. A person reads every
            message.
          </p>
          <dl className="mt-8 max-w-md divide-y divide-line border-y border-line text-input text-ink-2">
            <div className="py-4">
              <dt className="font-medium text-ink">By email</dt>
              <dd className="mt-1">
                <a href={`mailto:${contactEmail}`} className="link">
                  {contactEmail}
                </a>
              </dd>
            </div>
            <div className="py-4">
              <dt className="font-medium text-ink">Do you subscribe to a magazine?</dt>
              <dd className="mt-1">Its publisher can help: the address is at the foot of the storefront.</dd>
            </div>
          </dl>
        </div>
        {thanks ? (
          <div role="status" className="card self-start p-6 md:p-8">
            <h2 className="font-serif text-public-h2">Sent</h2>
            <p className="mt-3 text-lead text-ink-2">{thanks}</p>
            <p className="mt-6">
              <LinkButton to="/">Back to the home page</LinkButton>
            </p>
          </div>
        ) : (
          <ContactForm question={question} problem={problemOf(actionData)} />
        )}
      </div>
    </SiteFrame>
  )
}
