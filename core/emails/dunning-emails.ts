import { z } from 'zod'
import { failedNoticeKey } from '../agreements/warn-renewals.ts'
import type { AppContext } from '../context.ts'
import { openEnd } from '../kernel/dates.ts'
import type { PlaceholderValues } from '../kernel/placeholders.rules.ts'
import { planPhrase } from '../pricing/plan-code.rules.ts'
import { framePlaceholders } from './frame-placeholders.rules.ts'
import { type MailRecipient, mail, type SamplePublication } from './mail.ts'
import { fromPublication, type MailRow, sampleFrame } from './mail-frame.rules.ts'
import { greeting, type MailTranslator } from './mail-translator.ts'
import { cardLinkFacts, type RenewalFacts, renewalFacts } from './renewal-facts.query.ts'

const RenewalMail = z.object({ renewalId: z.number().int() })

const toReader = ({ email, publicationId, readerId, frame }: RenewalFacts): MailRecipient => ({
  to: email,
  ...fromPublication(frame),
  publicationId,
  readerId,
})

async function factsInState(ctx: AppContext, renewalId: number, states: RenewalFacts['state'][]) {
  const facts = await renewalFacts(ctx, renewalId)
  return facts && states.includes(facts.state) ? facts : null
}

/** The emails to readers whose agreed payment was not made. All of them are notices: the end of an agreement must be announced. */
export const dunningEmails = {
  /** `first`: after the first failure; `last`: shortly before grace ends. */
  'renewal-failed': mail({
    kind: 'notice',
    // `round` is the last day of a grace period that was restarted.
    about: RenewalMail.extend({ kind: z.enum(['first', 'last']), round: z.iso.date().optional() }),
    key: failedNoticeKey,
    // A reader who has just turned the renewal off is not asked to pay.
    async facts(ctx, { renewalId }) {
      const facts = await factsInState(ctx, renewalId, ['retrying', 'waiting'])
      return facts?.isActive ? facts : null
    },
    recipient: toReader,
    until: ({ graceUntil }) => graceUntil,
    reader: (facts) => facts,
    view: (facts, { kind }, _, t) => ({
      ...facts.frame,
      greeting: greeting(t, facts.name),
      headline:
        kind === 'first'
          ? t('Your renewal could not be paid')
          : t('Please pay for your renewal by {day}', { day: t.day(facts.graceUntil) }),
      paragraphs: [
        reasonText(t, facts),
        nextStepText(t, facts),
        t('If it is not paid by {day}, your subscription ends.', { day: t.day(facts.graceUntil) }),
      ],
      rows: rowsOf(t, facts),
      action: nextStepLink(t, facts),
    }),
    custom: {
      title: 'Renewal not paid',
      sentWhen: 'When the charge for a renewal fails, and shortly before the subscription ends because of it.',
      placeholders: (facts, t) => renewalPlaceholders(t, facts),
      sampleOf: renewalOfPublication,
    },
    sample: { about: { renewalId: 12, kind: 'first' }, facts: sampleRenewal() },
  }),

  'renewal-lapsed': mail({
    kind: 'notice',
    about: RenewalMail,
    key: ({ renewalId }) => `renewal-lapsed:${renewalId}`,
    facts: (ctx, { renewalId }) => factsInState(ctx, renewalId, ['lapsed']),
    recipient: toReader,
    reader: (facts) => facts,
    view: (facts, _, __, t) => ({
      ...facts.frame,
      greeting: greeting(t, facts.name),
      headline: t('Your subscription has ended'),
      paragraphs: [
        t(
          'The renewal of {publication} was not paid by {day}, so your subscription has ended. Nothing more will be charged.',
          { publication: facts.frame.publicationName, day: t.day(facts.graceUntil) },
        ),
        t('You can subscribe again at any time.'),
      ],
      rows: rowsOf(t, facts),
      action: { label: t('Order again'), url: facts.frame.storefrontUrl },
    }),
    custom: {
      title: 'Subscription ended',
      sentWhen: 'When a renewal was not paid in time.',
      placeholders: (facts, t) => renewalPlaceholders(t, facts),
      sampleOf: renewalOfPublication,
    },
    sample: { about: { renewalId: 12 }, facts: { ...sampleRenewal(), state: 'lapsed', nextTryOn: null } },
  }),

  'card-expiring': mail({
    kind: 'notice',
    about: RenewalMail,
    key: ({ renewalId }) => `card-expiring:${renewalId}`,
    async facts(ctx, { renewalId }) {
      const facts = await factsInState(ctx, renewalId, ['planned'])
      // Null if another card has been entered since.
      return facts?.expiresOn && facts.expiresOn < facts.chargeOn ? { ...facts, expiresOn: facts.expiresOn } : null
    },
    recipient: (facts) => toReader(facts),
    until: ({ chargeOn }) => chargeOn,
    reader: (facts) => facts,
    view: (facts, _, __, t) => ({
      ...facts.frame,
      greeting: greeting(t, facts.name),
      headline: t('Your card expires before your renewal'),
      paragraphs: [
        t('The renewal of {publication} is charged on {day}. Your card expires before that, on {expiry}.', {
          publication: facts.frame.publicationName,
          day: t.day(facts.chargeOn),
          expiry: t.day(facts.expiresOn),
        }),
        t('Please enter another card before the renewal. Nothing is charged until then.'),
      ],
      rows: rowsOf(t, facts),
      action: { label: t('Change the card'), url: facts.renewUrl },
    }),
    custom: {
      title: 'Card expires',
      sentWhen: 'When a card expires before the renewal is charged to it.',
      placeholders: (facts, t) => renewalPlaceholders(t, facts),
      sampleOf: renewalOfPublication,
    },
    sample: {
      about: { renewalId: 12 },
      facts: { ...sampleRenewal(), state: 'planned', nextTryOn: null, expiresOn: '2027-10-31' },
    },
  }),

  /** Sent by staff on request: how to give another card, and the declined renewal, if any. */
  'card-link': mail({
    kind: 'notice',
    // `key` names one press of the button.
    about: z.object({ agreementId: z.number().int(), key: z.string() }),
    key: ({ agreementId, key }) => `card-link:${agreementId}:${key}`,
    facts: (ctx, { agreementId }) => cardLinkFacts(ctx, agreementId),
    recipient: ({ email, publicationId, readerId, frame, orderId }) => ({
      to: email,
      ...fromPublication(frame),
      publicationId,
      readerId,
      orderId,
    }),
    reader: (facts) => facts,
    view: ({ failed, lacksPassword, url, ...facts }, _, __, t) => ({
      ...facts.frame,
      greeting: greeting(t, facts.name),
      headline: t('Change the card of your subscription'),
      paragraphs: failed
        ? [
            reasonText(t, failed),
            nextStepText(t, failed),
            t('If it is not paid by {day}, your subscription ends.', { day: t.day(failed.graceUntil) }),
          ]
        : [
            t('You can use the link below to enter another card for your subscription to {publication}.', {
              publication: facts.frame.publicationName,
            }),
            facts.chargeOn === openEnd
              ? t(
                  'Your subscription runs until further notice, and nothing is charged as long as it does. To keep your current card, you do not need to do anything.',
                )
              : t('The next charge is on {day}. To keep your current card, you do not need to do anything.', {
                  day: t.day(facts.chargeOn),
                }),
            ...(lacksPassword && url.endsWith('/account')
              ? [
                  t('Your account has no password yet. To log in, set one at {url}', {
                    url: `${facts.frame.storefrontUrl}/forgot`,
                  }),
                ]
              : []),
          ],
      rows: rowsOf(t, facts),
      action: { label: failed ? t('Pay or change the card') : t('Change the card'), url },
    }),
    custom: {
      title: 'Link to change the card',
      sentWhen: 'When staff send it.',
      placeholders: (facts, t) => renewalPlaceholders(t, facts),
      sampleOf: renewalOfPublication,
    },
    sample: {
      about: { agreementId: 8, key: 'a' },
      facts: {
        ...sampleRenewal(),
        orderId: 1204,
        failed: null,
        lacksPassword: true,
        url: `${sampleFrame.storefrontUrl}/account`,
      },
    },
  }),
}

function reasonText(t: MailTranslator, { isDebit, hasFailed, needsConfirmation, money, frame }: RenewalFacts): string {
  const values = { amount: t.money(money), publication: frame.publicationName }
  if (needsConfirmation)
    return t('Your bank asks you to confirm the payment of {amount} for the renewal of {publication}.', values)
  if (!hasFailed) return t('The payment of {amount} for the renewal of {publication} has not been taken yet.', values)
  return isDebit
    ? t('Your bank did not pay the direct debit of {amount} for the renewal of {publication}.', values)
    : t('Your bank declined the payment of {amount} for the renewal of {publication}.', values)
}

function nextStepText(
  t: MailTranslator,
  { isDebit, hasFailed, needsConfirmation, money, nextTryOn }: RenewalFacts,
): string {
  if (nextTryOn)
    return isDebit
      ? t('We will try again to take {amount} by direct debit on {day}.', {
          amount: t.money(money),
          day: t.day(nextTryOn),
        })
      : t('We will try again on {day}. You can also pay now, or enter another card.', { day: t.day(nextTryOn) })
  if (needsConfirmation) return t('Nothing is taken until you confirm it or enter another card.')
  if (!hasFailed && !isDebit) return t('You can pay now, or enter another card.')
  return isDebit
    ? t('We will not try again automatically. You can order again and choose another payment method.')
    : t('We will not try this card again automatically. Please enter another card.')
}

/** A direct debit has no card to change: while it is retried there is nothing to pay, and afterwards the reader orders again. */
function nextStepLink(t: MailTranslator, { isDebit, state, frame, renewUrl }: RenewalFacts) {
  if (!isDebit) return { label: t('Pay or change the card'), url: renewUrl }
  return state === 'waiting'
    ? { label: t('Order again'), url: frame.storefrontUrl }
    : { label: t('Open your account'), url: `${frame.storefrontUrl}/account` }
}

function rowsOf(
  t: MailTranslator,
  { plan, money, lastFour, isDebit }: Pick<RenewalFacts, 'plan' | 'money' | 'lastFour' | 'isDebit'>,
): MailRow[] {
  return [
    { label: t('Subscription'), value: t.phrase(planPhrase(plan)) },
    { label: t('Amount'), value: t.money(money) },
    ...(lastFour ? [{ label: isDebit ? t('Account ending in') : t('Card ending in'), value: lastFour }] : []),
  ]
}

type RenewalOutline = Pick<RenewalFacts, 'name' | 'plan' | 'money' | 'chargeOn' | 'frame'>

function renewalPlaceholders(
  t: MailTranslator,
  { name, plan, money, chargeOn, frame }: RenewalOutline,
): PlaceholderValues {
  return {
    name,
    subscription: t.phrase(planPhrase(plan)),
    amount: t.money(money),
    'charged on': chargeOn === openEnd ? t('Until further notice') : t.day(chargeOn),
    ...framePlaceholders(frame),
  }
}

function renewalOfPublication<Facts extends RenewalOutline>(
  facts: Facts,
  { frame, currency }: SamplePublication,
): Facts {
  return { ...facts, frame, money: { amount: 2999, currency } }
}

function sampleRenewal(): RenewalFacts {
  return {
    publicationId: 7,
    readerId: 88,
    isActive: true,
    state: 'retrying',
    isDebit: false,
    hasFailed: true,
    needsConfirmation: false,
    plan: { product: 'print', termMonths: 12, isRecurring: false },
    money: { amount: 2500, currency: 'GBP' },
    chargeOn: '2027-11-22',
    graceUntil: '2027-12-13',
    nextTryOn: '2027-11-23',
    lastFour: '4242',
    expiresOn: null,
    name: "Mrs Ann O'Brien",
    email: 'ann@example.com',
    language: null,
    country: 'GB',
    renewUrl: 'https://subscriptions.example.com/harbour-light/renew/c.20271213.W4mV0m3yJdT7qg2b5k9XrA',
    frame: sampleFrame,
  }
}
