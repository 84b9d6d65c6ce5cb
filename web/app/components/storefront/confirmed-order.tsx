import { openEnd } from '#core/kernel/dates.ts'
import type { Translator } from '#core/kernel/translator.ts'
import type { Confirmation } from '#core/orders/confirmation.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { AddressLines } from '../buyer/address-lines.tsx'
import { FactLine, FactLines } from '../ui/fact-lines.tsx'
import { planText } from './plan-text.ts'
import type { Shop } from './shop-frame.tsx'

interface ConfirmedOrderProps {
  order: Confirmation
  shop: Shop
}

/** What was ordered, and what happens next for each kind of product. */
export function ConfirmedOrder({ order, shop }: ConfirmedOrderProps) {
  const t = useT()
  const isPosted = order.product !== 'digital'
  // A gift is read by its recipient, not with the buyer's log-in.
  const editions = order.gift || !order.product || order.product === 'print' ? [] : editionsOf(t, shop)
  return (
    <>
      <p className="mt-3 text-ink-2">
        {t('Your order is confirmed. The receipt goes to {email}.', { email: order.email })}
      </p>
      <OrderFacts order={order} shop={shop} />
      {order.isRecurring && (
        <p className="mt-3 text-ink-2">
          {t('It renews after each term, until you turn it off:')}{' '}
          <a
            href={`/${shop.urlKey}/account`}
            className="inline-block min-h-6 text-ink underline underline-offset-3 hover:decoration-2"
          >
            {t('Your account')}
          </a>
        </p>
      )}
      {order.replaced && (
        <p className="mt-3 text-ink-2">
          {t('This order replaced your automatic renewal of {plan}, {amount}, due on {day}.', {
            plan: planText(t, order.replaced.plan),
            amount: t.money(order.replaced.price),
            day: t.day(order.replaced.on),
          })}
        </p>
      )}
      {order.delivery && (
        <section className="mt-6">
          <h2 className="text-h3">{order.gift ? t('Your gift goes to') : t('Delivered to')}</h2>
          <div className="mt-2">
            <AddressLines address={order.delivery} />
          </div>
          {order.gift && <GiftNotice gift={order.gift} />}
        </section>
      )}
      {(isPosted || order.chargedOn || order.needsPassword || editions.length > 0) && (
        <h2 className="mt-6 text-h3">{t('What happens next')}</h2>
      )}
      {order.chargedOn && (
        <p className="mt-2 text-ink-2">
          {t('Your direct debit will be taken on {day}. Your order is valid from today.', {
            day: t.day(order.chargedOn),
          })}
        </p>
      )}
      {!order.product && (
        <p className="mt-2 text-ink-2">{t('Your issues will be posted to the delivery address of this order.')}</p>
      )}
      {(order.product === 'print' || order.product === 'bundle') && (
        <p className="mt-2 text-ink-2">
          {order.gift
            ? t('The copies will be posted to the recipient of your gift, starting with the next issue.')
            : t('Your copies will be posted to the delivery address of this order, starting with the next issue.')}
        </p>
      )}
      {order.needsPassword && <PasswordToSet shop={shop} />}
      {editions.length > 0 && <ReadingLinks editions={editions} hasPassword={!order.needsPassword} />}
    </>
  )
}

function GiftNotice({ gift }: { gift: NonNullable<Confirmation['gift']> }) {
  const t = useT()
  if (gift.email === '') return <p className="mt-2 text-ink-2">{t('We will not email the recipient.')}</p>
  return (
    <>
      <p className="mt-2 text-ink-2">
        {t('They get an email at {email}, in your name.', { email: gift.email })}
        {gift.message !== '' && ` ${t('Your message:')}`}
      </p>
      {gift.message !== '' && (
        <blockquote className="mt-2 border-l-3 border-line pl-3 wrap-anywhere whitespace-pre-line">
          {gift.message}
        </blockquote>
      )}
    </>
  )
}

function OrderFacts({ order, shop }: ConfirmedOrderProps) {
  const t = useT()
  const money = (amount: number) => t.money({ amount, currency: order.currency })
  const day = (value: string | null) =>
    value === null
      ? '-'
      : value === openEnd
        ? t('Until further notice')
        : t.day(value as NonNullable<typeof order.subEndOn>)
  return (
    <FactLines className="mt-6">
      <FactLine label={t('Order number')}>{order.orderNumber}</FactLine>
      <FactLine label={t('Publication')}>{shop.publicationName}</FactLine>
      {order.product ? (
        <>
          <FactLine label={t('Subscription')}>{planText(t, { ...order, product: order.product })}</FactLine>
          <FactLine label={t('Starts')}>{day(order.subStartOn)}</FactLine>
          {order.isRecurring ? (
            <FactLine label={t('Renews')}>
              {t('{day} for {amount}', { day: day(order.subEndOn), amount: money(order.renewalPrice) })}
            </FactLine>
          ) : (
            <FactLine label={t('Ends')}>{day(order.subEndOn)}</FactLine>
          )}
        </>
      ) : (
        order.issues.map(({ volume, price, postage }) => (
          <FactLine key={volume} label={volume}>
            {postage > 0
              ? t('{price} + {postage} postage', { price: money(price), postage: money(postage) })
              : money(price)}
          </FactLine>
        ))
      )}
      <FactLine label={t('Total')}>{order.isFree ? t('Free') : t.moneyWithCode(order)}</FactLine>
    </FactLines>
  )
}

/** After a wallet order, which has no password: the link to set one. */
function PasswordToSet({ shop }: { shop: Shop }) {
  const t = useT()
  return (
    <p className="mt-2 text-ink-2">
      {t('An account was created for you. To manage your subscription and read online, it needs a password:')}{' '}
      <a
        href={`/${shop.urlKey}/forgot`}
        className="inline-block min-h-6 text-ink underline underline-offset-3 hover:decoration-2"
      >
        {t('Set a password')}
      </a>
    </p>
  )
}

interface Edition {
  label: string
  url: string
}

/** Where the publication can be read on a screen. */
function editionsOf(t: Translator, { links }: Shop): Edition[] {
  return [
    { label: t('Read it online'), url: links.digitalEdition },
    { label: t('iPhone and iPad app'), url: links.ios },
    { label: t('Android app'), url: links.android },
    { label: t('Kindle app'), url: links.kindle },
  ].filter(({ url }) => url !== '')
}

function ReadingLinks({ editions, hasPassword }: { editions: readonly Edition[]; hasPassword: boolean }) {
  const t = useT()
  return (
    <>
      <p className="mt-2 text-ink-2">
        {hasPassword
          ? t('You can start reading now, with the email and the password you ordered with.')
          : t('Then you can start reading, with the email you ordered with.')}
      </p>
      <ul className="mt-2 space-y-1">
        {editions.map(({ label, url }) => (
          <li key={label}>
            <a href={url} className="inline-block min-h-6 text-ink underline underline-offset-3 hover:decoration-2">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
