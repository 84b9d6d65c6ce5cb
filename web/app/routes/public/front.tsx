import { type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { landingPage } from '#core/access/user-types.ts'
import { priceTiers } from '#core/pricing/publisher-plans.rules.ts'
import { listStorefronts } from '#core/publications/list-storefronts.query.ts'
import { visibleTestimonials } from '#core/testimonials/list-testimonials.query.ts'
import { Closing } from '#web/app/components/landing/closing.tsx'
import { FeatureList } from '#web/app/components/landing/feature-list.tsx'
import { Hero } from '#web/app/components/landing/hero.tsx'
import { Pricing, wholePounds } from '#web/app/components/landing/pricing.tsx'
import { ProductVideo } from '#web/app/components/landing/product-video.tsx'
import { TaskShowcase } from '#web/app/components/landing/task-showcase.tsx'
import { TestimonialWall } from '#web/app/components/landing/testimonial-wall.tsx'
import { TitleCovers } from '#web/app/components/landing/title-covers.tsx'
import { SiteFrame } from '#web/app/components/site/site-frame.tsx'
import { staffSession, visitorContext } from '#web/app/http/session.ts'
import { siteMeta } from '#web/app/http/site-meta.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  siteMeta(data, {
    title: 'Masthead: subscriptions for magazine publishers',
    description:
      'A storefront for each title, clean reader data, mailing files for the printer and a sales ledger that shows what is earned. Paid monthly, no set-up fee.',
  })

export async function loader({ request, context }: LoaderFunctionArgs) {
  const sessionResult = await staffSession(request, context)
  if ('session' in sessionResult && sessionResult.session.actor.kind === 'staff')
    throw redirect(landingPage(sessionResult.session.actor.userType))
  const ctx = visitorContext(context)
  const storefronts = await listStorefronts(ctx, {})
  return {
    url: `${ctx.settings.appUrl}/`,
    titles: storefronts.map(({ publicationInfo: _, ...title }) => title),
    testimonials: await visibleTestimonials(ctx, {}),
    promises: ctx.settings.sitePromises,
    canSignUp: ctx.planBilling !== null,
    videoUrl: ctx.settings.siteVideoUrl,
  }
}

const fromPrice = wholePounds(Math.min(...priceTiers('standard').map(({ pence }) => pence)))

export default function Front() {
  const { titles, testimonials, promises, canSignUp, videoUrl } = useLoaderData<typeof loader>()
  return (
    <SiteFrame>
      <Hero fromPrice={fromPrice} />
      <TitleCovers titles={titles} />
      <TaskShowcase />
      {videoUrl && <ProductVideo source={videoUrl} />}
      <FeatureList promises={promises} canSignUp={canSignUp} />
      <Pricing sellsApp={promises.includes('mobile-app')} />
      <TestimonialWall testimonials={testimonials} />
      <Closing />
    </SiteFrame>
  )
}
