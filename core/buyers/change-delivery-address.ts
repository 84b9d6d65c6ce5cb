import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { moveReader } from '../readers/move-reader.ts'
import { useCase } from '../use-case.ts'
import { buyerProfile } from './buyer-profile.query.ts'
import { Buyers } from './buyers.rows.ts'
import { DeliveryAddress } from './delivery-address.input.ts'
import { buyerSubject, ownBuyer } from './live-buyer.ts'

/**
 * The signed-in reader has moved: the address is kept for the next order and put on the reader's record, which the next mailing goes by.
 * The country stays, since the price that was paid is the country's.
 */
export const changeDeliveryAddress = useCase({
  permission: 'buyer',
  input: DeliveryAddress,
  async run(ctx, input): Promise<PostalAddress> {
    const buyer = await ownBuyer(ctx)
    const { delivery } = await buyerProfile(ctx, {})
    if (!delivery) throw conflict('There is nothing to deliver yet. The address is asked for with your first order.')
    const isNamed = input.firstName !== '' || input.lastName !== ''
    const name = isNamed ? {} : { title: delivery.title, firstName: delivery.firstName, lastName: delivery.lastName }
    const address: PostalAddress = { ...input, ...name, country: delivery.country }
    await Buyers.update(ctx, { id: buyer.id }, { shipping: address })
    const fields = buyer.readerId
      ? await moveReader(ctx, { readerId: buyer.readerId, publicationId: buyer.publicationId, address })
      : []
    await recordAudit(ctx, 'change-delivery-address', buyerSubject(buyer), { fields })
    return address
  },
})
