import { z } from 'zod'
import { type BuyerProfile, termEndsOf } from '../buyers/buyer-profile.query.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { addressPart, lineText } from '../kernel/form-fields.ts'
import { fullName, isSamePlace, type PostalAddress } from '../kernel/postal-address.ts'
import { promoProblem } from '../pricing/discount.rules.ts'
import type { PlanOption } from '../pricing/price-table.rules.ts'
import { type AppliedPromo, checkPromo } from '../promos/check-promo.ts'
import { findPromo, promoKey } from '../promos/promo-uses.ts'
import { CaptchaField } from '../rate-limits/captcha.ts'
import { countGuess, type GuessLimit, resetAfterRightGuess } from '../rate-limits/guess-limit.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import { recordEffortOpened } from '../series/reader-efforts.rows.ts'
import { isLinkProof, linkProof, proofSeconds } from '../series/renewal-link.ts'
import { newTerm } from '../terms/term.rules.ts'
import { useCase } from '../use-case.ts'
import {
  answerKey,
  type LinkedRecord,
  type LinkQuestion,
  type LinkStatus,
  linkedRecord,
  openOrderOf,
} from './linked-record.query.ts'

/** The parameters in the address of a renewal link. */
const LinkKey = z.object({ urlKey: z.string().max(100), key: addressPart(60) })

/** The parameters with the proof that the browser received for the right answer. */
export const ProvenLink = LinkKey.extend({ proof: z.string().max(60).default('') })

/** A plan that a link offers, with the days that it would buy. */
interface OfferedPlan extends PlanOption {
  startOn: Day
  endOn: Day
}

/** The values filled into the order form of a link once its owner has answered the question or is logged in. */
export interface OpenedLink {
  profile: Omit<BuyerProfile, 'publicationId' | 'subscriptions'>
  plans: OfferedPlan[]
  endsOn: Day
  hasEnded: boolean
  /** The reader's name, where the profile is the giver's. */
  recipient: string | null
  /** The publication's questions that are already answered. */
  answered: string[]
}

/** The contents of the page behind a renewal link. Only `opened` names a person. */
export interface RenewalLinkPage {
  status: LinkStatus
  country: string
  /** Null if the link opens no order. */
  offer: { plan: PlanOption; promo: AppliedPromo | null } | null
  /** The field that the visitor is asked for; null if nothing is known that could be asked. */
  questionField: LinkQuestion['field'] | null
  isGift: boolean
  opened: OpenedLink | null
}

/** The page behind a renewal link. Viewing it changes nothing: programs that check emails open every link. */
export const renewalLinkPage = useCase({
  permission: 'public',
  input: ProvenLink,
  transaction: 'none',
  async run(ctx, input): Promise<RenewalLinkPage> {
    const linked = await linkedRecord(ctx, input)
    const { status, country, offered, question, isGift } = linked
    if (status !== 'good' || !offered)
      return { status, country, offer: null, questionField: null, isGift: false, opened: null }
    return {
      status,
      country,
      isGift,
      questionField: question?.field ?? null,
      offer: { plan: offered, promo: await promoOf(ctx, linked) },
      opened: isProven(ctx, linked, input) ? openedOf(ctx, linked) : null,
    }
  },
})

/** The code that was made for the reader, if it still gives a discount. */
async function promoOf(ctx: AppContext, linked: LinkedRecord): Promise<AppliedPromo | null> {
  const { effort, reader, offered } = linked
  if (!effort.promo || !reader) return null
  const promo = await findPromo(ctx, effort.publicationId, effort.promo.code, {
    readerId: reader.id,
    openOrderId: openOrderOf(linked)?.id ?? null,
  })
  if (!promo || promoProblem(promo, offered, dayOf(ctx.now(), ctx.settings.timeZone))) return null
  const { code, discountPercent, applicableProducts } = promo
  return { code, discountPercent, applicableProducts }
}

/** Checks a code that was typed or applied by the link: the reader's own, or a general one. */
export const checkPromoByLink = useCase({
  permission: 'public',
  input: LinkKey.extend({ plan: z.string().max(30), promoCode: z.string().trim().max(60).default('') }),
  transaction: 'none',
  async run(ctx, { key, ...typed }): Promise<AppliedPromo> {
    const linkPromo = await promoOf(ctx, await linkedRecord(ctx, { urlKey: typed.urlKey, key }))
    return linkPromo && promoKey(linkPromo.code) === promoKey(typed.promoCode) ? linkPromo : checkPromo(ctx, typed)
  },
})

/** Wrong answers at one record's links. */
const answerLimit: GuessLimit = {
  name: 'renewal-link',
  fromAddress: { hits: 6, windowSeconds: 15 * 60 },
  ofAccount: { hits: 20, windowSeconds: 24 * 60 * 60 },
}
/** Wrong answers from one network address, across all links. */
const perNetwork = { hits: 40, windowSeconds: 15 * 60 }

export const wrongAnswers: Record<LinkQuestion['field'], string> = {
  postCode: 'This is not the postcode that we have on file',
  city: 'This is not the town that we have on file',
  lastName: 'This is not the last name that we have on file',
  email: 'This is not the email that we have on file',
}

/** Answers the question of a link. The browser keeps the returned value: with it the page shows the reader's details for an hour. */
export const answerLink = useCase({
  permission: 'public',
  input: LinkKey.extend({ answer: lineText(254).default(''), captcha: CaptchaField }),
  transaction: 'none',
  async run(ctx, { answer, captcha, ...input }): Promise<{ proof: string; seconds: number }> {
    const linked = await linkedRecord(ctx, input)
    const { question, effort, status, isGift } = linked
    if (status !== 'good' || !question) throw conflict(linkTexts.over)
    const typed = answerKey(question, answer)
    if (typed === '') throw invalid({ answer: 'Required' })
    await countFromNetwork(ctx, 'renewal-link', perNetwork)
    const account = `${effort.readerId}:${isGift ? 'giver' : 'reader'}`
    await countGuess(ctx, answerLimit, account, captcha)
    if (typed !== question.answer) throw invalid({ answer: wrongAnswers[question.field] })
    await resetAfterRightGuess(ctx, answerLimit, account)
    await recordEffortOpened(ctx, effort.id)
    const until = Math.floor(ctx.now().getTime() / 1000) + proofSeconds
    const proof = linkProof(ctx.settings.appSecret, { key: input.key, answer: question.answer, until })
    return { proof, seconds: proofSeconds }
  },
})

/** Records that a person uses the page, by a touch or a key press. Programs that open links do neither. */
export const recordLinkUsed = useCase({
  permission: 'public',
  input: LinkKey,
  async run(ctx, input): Promise<void> {
    const { effort } = await linkedRecord(ctx, input)
    await recordEffortOpened(ctx, effort.id)
  },
})

export const linkTexts = {
  over: 'This link can no longer be used to order. Please reload the page.',
  unproven: 'Too much time has passed. Please answer the question again.',
  underWay: 'A payment for this renewal is under way. Please wait for its receipt before you order again.',
  ownLogIn: 'This email already has an account here. Please log in, then open the link again.',
} as const

/** Whether the visitor has proved to be the link's recipient: by the answer, or by being logged in as the reader. */
export function isProven(
  ctx: AppContext,
  linked: LinkedRecord,
  { key, proof }: { key: string; proof: string },
): boolean {
  const { question } = linked
  if (ctx.actor.kind === 'buyer' && ctx.actor.buyerId === accountOf(linked)?.id) return true
  if (!question) return false
  return isLinkProof(ctx.settings.appSecret, { stored: proof, key, answer: question.answer, now: ctx.now() })
}

/** The parts of the addresses that the form shows to a visitor who has answered. */
export interface DisplayedAddresses {
  billing: PostalAddress
  delivery: PostalAddress
  isDeliveredToBilling: boolean
}

/** The addresses that the form is filled with. They are blank if the question was the name or the email: the email with the link contains both. */
export function displayedAddresses(linked: LinkedRecord): DisplayedAddresses {
  const { question, billing, delivery, isGift } = linked
  const account = accountOf(linked)
  const isShown = question?.field === 'postCode' || question?.field === 'city'
  const masked = (address: PostalAddress) => (isShown ? address : { ...address, ...blankPlace })
  const payer = account ? { title: account.title, firstName: account.firstName, lastName: account.lastName } : {}
  const billed = masked({ ...(billing ?? (isGift ? { ...delivery, ...blankPlace } : delivery)), ...payer })
  const delivered = masked(delivery)
  const isSame = !isGift && isSamePlace(billed, delivered) && fullName(billed) === fullName(delivered)
  return { billing: billed, delivery: delivered, isDeliveredToBilling: isSame }
}

/** The account that the record is in. An account that it joins only with the order has its own details, not revealed by the record's postcode. */
function accountOf({ buyer, reader }: LinkedRecord) {
  return buyer && reader?.buyerId === buyer.id ? buyer : null
}

const blankPlace = {
  companyName: '',
  addressOne: '',
  addressTwo: '',
  addressThree: '',
  city: '',
  state: '',
  postCode: '',
}

function openedOf(ctx: AppContext, linked: LinkedRecord): OpenedLink | null {
  const { reader, email, country, isGift, plans } = linked
  if (!reader) return null
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const { billing, ...displayed } = displayedAddresses(linked)
  const noProducts = { print: null, digital: null, bundle: null }
  return {
    profile: {
      // Not an account: nobody is logged in.
      id: 0,
      email,
      title: billing.title,
      firstName: billing.firstName,
      lastName: billing.lastName,
      mobile: accountOf(linked)?.mobile ?? (isGift ? '' : reader.telephone),
      subscriberSince: null,
      currentExpiry: reader.subEndOn,
      // The page itself says what the order continues.
      alreadySubscribed: noProducts,
      termEnds: termEndsOf([reader], today),
      replacedRenewal: noProducts,
      lastOrder: { billing, country, plan: null },
      ...displayed,
      deliveries: { print: displayed, digital: displayed, bundle: displayed, issue: displayed },
      optOuts: null,
      remindersStopped: false,
    },
    plans: plans.flatMap((plan) => {
      const { product, termMonths } = plan
      const term = newTerm(reader, { product, termMonths }, today)
      return term ? [{ ...plan, startOn: term.startOn, endOn: term.reader.subEndOn }] : []
    }),
    endsOn: reader.subEndOn,
    hasEnded: reader.subEndOn < today,
    recipient: isGift ? fullName(displayed.delivery) : null,
    answered: answeredQuestions(linked),
  }
}

function answeredQuestions({ reader, storefront }: LinkedRecord): string[] {
  const answers = { A: reader?.answerA, B: reader?.answerB, C: reader?.answerC, D: reader?.answerD, E: reader?.answerE }
  return storefront.questions.flatMap(({ key, kind }) => {
    const answer = (answers[key] ?? '').trim()
    return answer !== '' && (kind === 'text' || answer.toLowerCase() === 'yes') ? [key] : []
  })
}
