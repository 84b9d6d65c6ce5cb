import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { sendSampleMail } from '#core/emails/preview-mail.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { ownPublication } from '#core/publications/own-publication.ts'
import { readerHome } from '#core/readers/reader-home.query.ts'
import {
  getBlanketOffer,
  listBlanketOffers,
  previewOfferedReaders,
  removeBlanketOffer,
  saveBlanketOffer,
} from '#core/series/blanket-offers.ts'
import { sendBlanketOffer, stopBlanketOffer } from '#core/series/send-blanket-offer.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { pricesOf } from '#web/app/components/renewals/effort-form.tsx'
import { OfferForm, storedOfferValues } from '#web/app/components/renewals/offer-form.tsx'
import { OfferPart, OfferRecipients, OfferTable } from '#web/app/components/renewals/offer-parts.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { useFocusOnView } from '#web/app/components/ui/focus.ts'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { PublicationChoice } from '#web/app/components/ui/publication-choice.tsx'
import { useLastActionData } from '#web/app/components/ui/use-last-action-data.ts'
import { countryChoices } from '#web/app/http/country-choices.ts'
import { conflictIfGone, readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { existingPage, listParams } from '#web/app/http/list-params.ts'
import { saveMerged } from '#web/app/http/merge-form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen, type StaffContext } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Offers'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Renewals', to: '/renewals' }, { label: title }] }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${title} – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'renewalOffers')
  const params = new URL(request.url).searchParams
  const publications = (await readerHome(ctx, {})).map(({ id, publicationName }) => ({ id, publicationName }))
  const requested = params.get('offer')
  const isForm = requested === 'new' || params.has('edit')
  const page = { publications, requested, countries: isForm ? countryChoices : [], isRefused: wasRefused(context) }
  const given = params.get('publication')
  const publicationId = given ? await ownPublicationId(ctx, given) : (publications[0]?.id ?? null)
  if (publicationId === null) return { ...page, publicationId, show: 'none' as const }
  if (requested === 'new') return { ...page, publicationId, show: 'form' as const, offer: null }
  if (requested === null)
    return { ...page, publicationId, show: 'list' as const, offers: await listBlanketOffers(ctx, { publicationId }) }
  const result = await getBlanketOffer(ctx, { id: requested }).catch((error: unknown) => {
    if (!isAppError(error) || (error.kind !== 'notFound' && error.kind !== 'invalid')) throw error
    return null
  })
  if (!result) return { ...page, publicationId, show: 'gone' as const }
  const { offer, version, reach } = result
  const common = { ...page, publicationId: offer.publicationId, offer }
  if (offer.state === 'draft' && isForm) return { ...common, show: 'form' as const }
  if (offer.state === 'draft' && params.get('show') === 'readers')
    return {
      ...common,
      show: 'readers' as const,
      list: existingPage(request, await previewOfferedReaders(ctx, { ...listParams(request), id: offer.id })),
    }
  return { ...common, show: 'offer' as const, version, reach }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'renewalOffers')
  const values = await readForm(request)
  const { intent, publicationId = '', id = '', version } = values
  if (publicationId !== '') await ownPublicationId(ctx, publicationId)
  const back = `/renewals/offers?${new URLSearchParams({ publication: publicationId })}`
  const redirectBack = (text: string, to = `${back}&offer=${id}`) =>
    redirectWithToast(context, to, { kind: 'success', text })
  const hint = intent === 'save' ? 'Somebody deleted it. Save again to create a new one.' : 'Somebody deleted it.'
  const work = async () => {
    if (intent === 'send') {
      await sendBlanketOffer(ctx, { id, version })
      return redirectBack('The offer is being sent')
    }
    if (intent === 'stop') {
      const { isStopped } = await stopBlanketOffer(ctx, { id })
      return redirectBack(isStopped ? 'Offer stopped' : 'The offer had already ended')
    }
    if (intent === 'remove') {
      await removeBlanketOffer(ctx, { id })
      return redirectBack('Draft deleted', back)
    }
    if (intent === 'sample') {
      const { offer } = await getBlanketOffer(ctx, { id })
      const { subject, body } = offer
      const { to } = await sendSampleMail(ctx, {
        publicationId: offer.publicationId,
        mail: 'renewal-offer',
        language: 'en',
        subject,
        body,
        isOwn: true,
      })
      return redirectBack(`Test email sent to ${to}`)
    }
    const { id: savedId } = await saveOffer(ctx, values)
    return redirect(`${back}&offer=${savedId}`)
  }
  return submit(context, values, () => conflictIfGone('This offer', hint, work))
}

/** The id in an address or a form, if the publication is the acting publisher's; any other is not found, like a page that does not exist. */
async function ownPublicationId(ctx: StaffContext, text: string): Promise<number> {
  return (await ownPublication(ctx, { id: idParam(text, 'The publication') })).id
}

/** Keeps what somebody else has changed in other fields of the draft. */
function saveOffer(ctx: StaffContext, values: Record<string, string>): Promise<{ id: number }> {
  return saveMerged(values, {
    read: async () => (values.id ? (await getBlanketOffer(ctx, { id: values.id })).offer : undefined),
    valuesOf: storedOfferValues,
    save: (merged, basedOn) => saveBlanketOffer(ctx, { ...merged, offerPrices: pricesOf(merged), basedOn }),
  })
}

export default function RenewalOffersPage() {
  const loaded = useLoaderData<typeof loader>()
  const problem = problemOf(useLastActionData<typeof action>())
  const { publications, publicationId, requested, countries } = loaded
  // If another user has sent or deleted the draft in the meantime, its form stays, with what was typed.
  const show = problem?.values.intent === 'save' ? 'form' : loaded.show
  const back = `/renewals/offers?publication=${publicationId}`
  const offer = 'offer' in loaded ? loaded.offer : null
  // The list, a form and an offer share a path, so going from one to the other moves the focus to the heading.
  useFocusOnView(`${publicationId} ${show} ${requested} ${show === 'offer' && offer?.state}`, 'main h1')
  return (
    <>
      <PageHeader
        title={offer ? offer.name : show === 'form' ? 'New offer' : title}
        note="Email an offer to selected readers, once to each. Readers who have bought again are left out, and nobody gets two offers in a month."
        actions={
          show === 'list' ? (
            <>
              <PublicationChoice publications={publications} chosen={publicationId} />
              <LinkButton to={`${back}&offer=new`}>New offer</LinkButton>
            </>
          ) : (
            <LinkButton to={back}>All offers</LinkButton>
          )
        }
      />
      {show === 'none' && (
        <EmptyState title="No publications yet">An offer is made to the readers of a publication.</EmptyState>
      )}
      {show === 'gone' && (
        <EmptyState title="This offer no longer exists">
          <Link to={back} className="link">
            All offers
          </Link>
        </EmptyState>
      )}
      {show === 'list' && loaded.show === 'list' && <OfferTable offers={loaded.offers} back={back} />}
      {show === 'form' && publicationId !== null && (
        <OfferForm
          key={`${publicationId} ${requested}`}
          publicationId={publicationId}
          countries={countries}
          problem={problem}
          offer={offer}
          back={offer ? `${back}&offer=${offer.id}` : back}
        />
      )}
      {show === 'offer' && loaded.show === 'offer' && (
        <OfferPart
          key={loaded.offer.id}
          offer={loaded.offer}
          version={loaded.version}
          reach={loaded.reach}
          back={back}
          problem={problem}
        />
      )}
      {show === 'readers' && loaded.show === 'readers' && (
        <>
          <OfferRecipients rows={loaded.list.rows} />
          <Pagination {...loaded.list} noun="reader" />
        </>
      )}
    </>
  )
}
