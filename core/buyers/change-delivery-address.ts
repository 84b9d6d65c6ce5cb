import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import type { FieldPhrases } from '../kernel/phrases.ts'
import { isSamePlace, type PostalAddress } from '../kernel/postal-address.ts'
import { postCodeProblem, withStoredPostCode } from '../postcodes/post-code.rules.ts'
import { changeReaderAddress } from '../readers/change-reader-address.ts'
import { lockReaders } from '../readers/readers.rows.ts'
import { useCase } from '../use-case.ts'
import { buyerProfile } from './buyer-profile.query.ts'
import { Buyers } from './buyers.rows.ts'
import { DeliveryAddress } from './delivery-address.input.ts'
import { buyerSubject, ownBuyer } from './live-buyer.ts'
import { type OwnReader, ownReaders, ownRemovedReaders } from './own-readers.query.ts'

const Input = DeliveryAddress.extend({
  readerId: z.coerce.number('The subscription was not found').int().nullable().default(null),
  appliesToAll: z.preprocess((value) => value === 'on' || value === true, z.boolean()),
})

/**
 * Changes the logged-in buyer's delivery address: for the next order, and in the reader records of their own subscriptions, which the next mailing
 * uses. `readerId` is the subscription to change; with `appliesToAll`, or without `readerId`, all subscriptions posted to the same address change, also
 * removed ones, in case they are restored. The country does not change, since the price that was paid depends on it.
 */
export const changeDeliveryAddress = useCase({
  permission: 'buyer',
  input: Input,
  /** A postcode that cannot exist in the country of the address. The one on file may stay. */
  async alsoCheck(ctx, raw): Promise<FieldPhrases> {
    const readerId = Input.shape.readerId.safeParse(raw.readerId)
    const postCode = Input.shape.postCode.safeParse(raw.postCode)
    if (!readerId.success || !postCode.success) return {}
    const { previous } = await deliveryOf(ctx, readerId.data)
    const problem = postCode.data === previous.postCode ? undefined : postCodeProblem(postCode.data, previous.country)
    return problem ? { postCode: problem } : {}
  },
  async run(ctx, { readerId, appliesToAll, ...input }): Promise<PostalAddress> {
    const removed = await ownRemovedReaders(ctx, await ownBuyer(ctx))
    const { buyer, notGifts, chosenReader, previous } = await deliveryOf(ctx, readerId)
    const hasName = input.firstName !== '' || input.lastName !== ''
    const name = hasName ? {} : { title: previous.title, firstName: previous.firstName, lastName: previous.lastName }
    const address: PostalAddress = withStoredPostCode({ ...input, ...name, country: previous.country })
    // The readers are locked before the buyer, in the same order as by an order, to avoid a deadlock.
    await lockReaders(
      ctx,
      buyer.publicationId,
      notGifts.map(({ id }) => id),
    )
    if (chosenReader === notGifts[0]) await Buyers.update(ctx, { id: buyer.id }, { shipping: address })
    const hasPreviousAddress = (reader: OwnReader) =>
      (appliesToAll || readerId === null) && isSameRecipient(reader.address, previous)
    const changed: string[] = []
    for (const reader of [...notGifts, ...removed])
      if (reader === chosenReader || hasPreviousAddress(reader))
        changed.push(
          ...(await changeReaderAddress(ctx, { readerId: reader.id, publicationId: buyer.publicationId, address })),
        )
    await recordAudit(ctx, 'change-delivery-address', buyerSubject(buyer), { fields: [...new Set(changed)] })
    return address
  },
})

/** The logged-in buyer's own subscriptions, the one with this id (the first if null), and the address it is delivered to so far. */
async function deliveryOf(ctx: AppContext, readerId: number | null) {
  const buyer = await ownBuyer(ctx)
  const notGifts = (await ownReaders(ctx, buyer)).filter(({ isGift }) => !isGift)
  const chosenReader = readerId === null ? notGifts[0] : notGifts.find(({ id }) => id === readerId)
  if (readerId !== null && !chosenReader) throw notFound('The subscription')
  const previous = chosenReader?.address ?? (await buyerProfile(ctx, {})).delivery
  if (!previous) throw conflict('There is nothing to deliver yet. You can enter an address with your first order.')
  return { buyer, notGifts, chosenReader, previous }
}

/** Whether two addresses are of the same person at the same place. */
function isSameRecipient(a: PostalAddress, b: PostalAddress): boolean {
  const name = ({ firstName, lastName }: PostalAddress) => `${firstName} ${lastName}`.trim().toLowerCase()
  return isSamePlace(a, b) && a.country === b.country && name(a) === name(b)
}
