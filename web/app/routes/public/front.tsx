import { type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { landingPage } from '#core/access/user-types.ts'
import { listStorefronts } from '#core/publications/list-storefronts.query.ts'
import { PublicFrame } from '#web/app/components/layout/public-frame.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { Picture } from '#web/app/components/ui/picture.tsx'
import { staffSession, visitorContext } from '#web/app/http/session.ts'

export const meta: MetaFunction = () => [
  { title: 'Masthead: subscriptions for magazine publishers' },
  { name: 'description', content: 'Storefronts, readers, mailing files and a sales ledger for magazine publishers.' },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const answer = await staffSession(request, context)
  if ('session' in answer && answer.session.actor.kind === 'staff')
    throw redirect(landingPage(answer.session.actor.userType))
  return { storefronts: await listStorefronts(visitorContext(context), {}) }
}

export default function Front() {
  const { storefronts } = useLoaderData<typeof loader>()
  return (
    <PublicFrame action={<LinkButton to="/login">Publisher login</LinkButton>}>
      <section className="mx-auto max-w-3xl py-14 md:py-20">
        <h1 className="font-serif text-store-h1 md:text-landing">Subscriptions for magazine publishers</h1>
        <p className="mt-5 max-w-2xl text-lead text-ink-2">
          Sell print and digital subscriptions from a storefront for each title, keep your readers in order, and send
          the mailing house a file it can use as it is.
        </p>
        <div className="mt-8">
          <LinkButton to="/login" kind="primary" size="large">
            Publisher login
          </LinkButton>
        </div>
      </section>
      {storefronts.length > 0 && (
        <section aria-labelledby="titles" className="mx-auto max-w-3xl pb-16">
          <h2 id="titles" className="font-serif text-public-h2">
            Titles on sale here
          </h2>
          <ul className="mt-5 grid gap-4 sm:grid-cols-2 md:grid-cols-3">
            {storefronts.map((title) => (
              <li key={title.urlKey} className="card group relative flex flex-col overflow-hidden hover:border-control">
                <div className="flex h-52 items-center justify-center bg-subtle p-4">
                  {title.coverImage ? (
                    <Picture
                      image={title.coverImage}
                      kind="cover"
                      alt=""
                      sizes="160px"
                      isLazy
                      className="h-full w-auto max-w-full object-contain shadow-float"
                    />
                  ) : (
                    <span className="font-serif text-h2 text-muted">{title.publicationName.slice(0, 1)}</span>
                  )}
                </div>
                <div className="p-4">
                  <Link
                    to={`/${title.urlKey}`}
                    className="font-serif text-lead font-semibold text-ink no-underline after:absolute after:inset-0 group-hover:underline"
                  >
                    {title.publicationName}
                  </Link>
                  <p className="mt-1 line-clamp-3 text-table text-ink-2">{title.publicationInfo}</p>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </PublicFrame>
  )
}
