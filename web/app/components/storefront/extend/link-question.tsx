import type { RenewalLinkPage } from '#core/orders/renewal-link.ts'
import { phrase } from '../../../i18n/phrase.ts'
import { useT } from '../../../i18n/use-t.tsx'
import { ShopSubmit, ShopTextField } from '../../buyer/shop-fields.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Captcha } from '../../ui/captcha.tsx'
import { Form, type Refusal, useForm } from '../../ui/form.tsx'
import type { OrderProblem } from '../order-response.ts'
import { priceWith } from '../order-summary.tsx'
import { planText } from '../plan-text.ts'
import { ShopCard } from '../shop-card.tsx'
import type { Shop } from '../shop-frame.tsx'

const labels: Record<NonNullable<RenewalLinkPage['questionField']>, string> = {
  postCode: phrase('Your postcode'),
  city: phrase('Your town or city'),
  lastName: phrase('Your last name'),
  email: phrase('Your email'),
}

interface LinkQuestionProps {
  shop: Shop
  link: RenewalLinkPage
  offer: NonNullable<RenewalLinkPage['offer']>
  problem: Refusal | undefined
  /** Why the order was refused, before the question was asked again. */
  refused: OrderProblem | undefined
  /** Whether what was typed is filled in again after the answer: without JavaScript it is lost. */
  keepsTyped: boolean
}

/** The offer of a link, without personal data, and the security question that only its reader can answer. */
export function LinkQuestion({ shop, link, offer, problem, refused, keepsTyped }: LinkQuestionProps) {
  const t = useT()
  const { plan, promo } = offer
  const { questionField, country, isGift } = link
  const amount = priceWith(promo, plan).amount
  const shopParams = new URLSearchParams({ country, plan: plan.code })
  return (
    <div className="mx-auto grid max-w-xl gap-6">
      <h1 className="font-serif text-public-h2">{isGift ? t('Renew your gift') : t('Renew your subscription')}</h1>
      {refused && !problem && (
        <Banner tone="warning" isAlert>
          {t.phrase(refused.message)} {keepsTyped && t('What you typed is still there.')}
        </Banner>
      )}
      <ShopCard heading={shop.publicationName}>
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span>{planText(t, plan)}</span>
          <span className="numeric text-lead font-semibold">
            {plan.isFree ? t('Free') : t.money({ amount, currency: plan.currency })}
          </span>
        </p>
      </ShopCard>
      {questionField && (
        <ShopCard>
          <Answer field={questionField} problem={problem} />
        </ShopCard>
      )}
      <p className="text-body">
        {t('Not your subscription?')}{' '}
        <a href={`/${shop.urlKey}?${shopParams}`} className="inline-block min-h-6 underline underline-offset-3">
          {t('Order in the shop')}
        </a>
      </p>
    </div>
  )
}

function Answer({
  field,
  problem,
}: {
  field: NonNullable<RenewalLinkPage['questionField']>
  problem: Refusal | undefined
}) {
  const t = useT()
  const label = t(labels[field])
  const form = useForm({ problem, hidden: { intent: 'answer' }, labels: { answer: label }, isUnmarked: true })
  return (
    <Form form={form} className="space-y-5">
      <p className="text-input text-ink-2">
        {t('Your name and address are on file. To keep them private, please enter:')}
      </p>
      <ShopTextField
        name="answer"
        label={label}
        isRequired
        maxLength={254}
        spellCheck={false}
        autoComplete={field === 'postCode' ? 'postal-code' : field === 'email' ? 'email' : 'off'}
        autoCapitalize={field === 'postCode' ? 'characters' : 'none'}
        className="max-w-72"
      />
      <Captcha problem={problem} />
      <ShopSubmit>{t('Continue')}</ShopSubmit>
    </Form>
  )
}
