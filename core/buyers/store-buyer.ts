import type { AppContext } from '../context.ts'
import type { Language } from '../kernel/languages.ts'
import { Buyers } from './buyers.rows.ts'
import { emailKey } from './recognise-buyer.ts'

export interface StoredBuyer {
  id: number
  isNew: boolean
}

/**
 * The buyer of a paid order or a claimed account: created if the email is new to the publication, otherwise the existing one, whose password stays.
 * Call it before the readers with that email are locked: concurrent orders with the same new email wait for each other here.
 */
export async function storeBuyer(
  ctx: AppContext,
  publicationId: number,
  newBuyer: {
    email: string
    passwordHash: string | null
    title: string
    firstName: string
    lastName: string
    mobile: string
    language: Language | null
  },
): Promise<StoredBuyer> {
  const { email, passwordHash, title, firstName, lastName, mobile, language } = newBuyer
  const key = emailKey(email)
  const fields = { email, passwordHash, title, firstName, lastName, mobile, language }
  const inserted = await Buyers.insertNew(ctx, { ...fields, publicationId, emailKey: key })
  const buyer = inserted ?? (await Buyers.find(ctx, { publicationId, emailKey: key }))
  if (!buyer) throw new Error('The buyer could not be created')
  return { id: buyer.id, isNew: inserted !== null }
}
