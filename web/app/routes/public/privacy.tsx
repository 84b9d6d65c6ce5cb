import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { SiteFrame } from '#web/app/components/site/site-frame.tsx'
import { visitorContext } from '#web/app/http/session.ts'
import { siteMeta } from '#web/app/http/site-meta.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  siteMeta(data, {
    title: 'Privacy policy – Masthead',
    description: 'Which personal data the storefronts keep, why, for how long, and your rights.',
  })

export function loader({ context }: LoaderFunctionArgs) {
  const { contactEmail, appUrl } = visitorContext(context).settings
  return { contactEmail, url: `${appUrl}/privacy` }
}

const updated = '28 November 2026'

interface Part {
  id: string
  title: string
  text: ReactNode
}

/** The privacy policy. Days and years are those of the clean-up: core/maintenance/clean-up.ts, and the files that it calls. */
function parts(contactEmail: string): Part[] {
  return [
    {
      id: 'who',
      title: 'Who is responsible',
      text: (
        <p>
          Each storefront belongs to a publisher, who decides what is done with its readers’ data and is the controller
          under the UK GDPR and the Data Protection Act 2018. The publisher’s name and address are at the foot of the
          storefront. Masthead runs the software for publishers as their processor, and uses the data for nothing else.
        </p>
      ),
    },
    {
      id: 'what',
      title: 'What is kept, and why',
      text: (
        <ul className="list-disc space-y-2 pl-5">
          <li>
            Name, address, email and telephone, and what you subscribe to: to deliver what you ordered (contract).
          </li>
          <li>
            Orders, payments and refunds, with the last four digits of a card: for the publisher’s accounts (legal
            obligation). Card numbers go to the payment provider and are never stored here.
          </li>
          <li>Your choices about offers by email, post, telephone and SMS: to respect them (consent).</li>
          <li>Answers to a publication’s own questions, where you gave them (consent).</li>
          <li>
            How often a storefront is viewed, counted without cookies: a visitor cannot be recognised the next day.
          </li>
          <li>With an order, the name of the campaign whose link led you to the storefront.</li>
        </ul>
      ),
    },
    {
      id: 'cookies',
      title: 'Cookies',
      text: (
        <>
          <p>
            Only those that a page needs. There are no advertising or tracking cookies. A payment provider may set its
            own on its card form.
          </p>
          <ul className="mt-3 list-disc space-y-2 pl-5">
            <li>One keeps you logged in.</li>
            <li>In a two-step log-in one remembers that your password was right, for ten minutes.</li>
            <li>One remembers the language you chose, for a year.</li>
            <li>One carries a message to the next page.</li>
            <li>One leads back to an unfinished sign-up of a publisher, for a day.</li>
            <li>One remembers that you answered the security question of a renewal link, for an hour.</li>
            <li>In the back office one remembers which columns of a list you chose, for a year.</li>
          </ul>
          <p className="mt-3">
            The browser’s own storage keeps, until you close the tab: the order that you have begun, the campaign whose
            link led you to the storefront, a form that was not saved, and how far a page was scrolled. For longer it
            remembers that you have seen our notice about cookies and, in the back office, that you turned keyboard
            shortcuts off. Passwords and card numbers are never kept there.
          </p>
        </>
      ),
    },
    {
      id: 'others',
      title: 'Who else receives data',
      text: (
        <p>
          The payment provider you choose, the mailing house that posts a printed issue (name and address), and the
          service that sends emails. Others receive it only if you agreed to partner offers.
        </p>
      ),
    },
    {
      id: 'how-long',
      title: 'How long it is kept',
      text: (
        <ul className="list-disc space-y-2 pl-5">
          <li>
            Marketing data that is no longer actively used: no longer than 5 years. Active use ends with the last day of
            a subscription, the last order or the last log-in, whichever is latest. Then email, telephone, fax, web
            address, answers and where the data came from are deleted, and every kind of offer is switched off. The
            name, the address and the dates of the subscription stay as the record of what was supplied.
          </li>
          <li>Orders and receipts: as long as tax law requires.</li>
          <li>A reader’s record that was removed: 30 days, so that a mistake can be undone.</li>
          <li>What you write in our contact form: until your question is answered, and 12 months at most.</li>
          <li>IP addresses in the activity log: 90 days.</li>
        </ul>
      ),
    },
    {
      id: 'rights',
      title: 'Your rights',
      text: (
        <p>
          You may see and correct your data, take it with you, have it erased, restrict its use and object to marketing.
          With an account at a storefront you change your address and choices and download your data yourself; otherwise
          ask the publisher. You may complain to the Information Commissioner’s Office,{' '}
          <a href="https://ico.org.uk/make-a-complaint/" className="link">
            ico.org.uk
          </a>
          . Questions about the software:{' '}
          <a href={`mailto:${contactEmail}`} className="link">
            {contactEmail}
          </a>
          .
        </p>
      ),
    },
  ]
}

export default function Privacy() {
  const { contactEmail } = useLoaderData<typeof loader>()
  const all = parts(contactEmail)
  return (
    <SiteFrame>
      <article className="mx-auto max-w-6xl px-4 py-12 md:px-6 md:py-20">
        <h1 className="font-serif text-store-h1 md:text-landing">Privacy policy</h1>
        <p className="mt-3 text-body text-muted">Last updated {updated}</p>
        <div className="mt-8 grid gap-x-16 gap-y-10 border-t border-ink pt-8 md:mt-12 lg:grid-cols-[15rem_minmax(0,42rem)]">
          <nav aria-label="Contents" className="no-print self-start lg:sticky lg:top-28">
            <ul className="text-input">
              {all.map(({ id, title }) => (
                <li key={id}>
                  <a href={`#${id}`} className="link inline-block py-1.5">
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className="space-y-10 text-lead text-ink-2">
            {all.map(({ id, title, text }) => (
              <section key={id} aria-labelledby={id}>
                <h2 id={id} className="mb-3 scroll-mt-7 font-serif text-h2 text-ink">
                  {title}
                </h2>
                {text}
              </section>
            ))}
          </div>
        </div>
      </article>
    </SiteFrame>
  )
}
