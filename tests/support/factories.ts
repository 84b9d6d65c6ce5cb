import type { Actor } from '#core/access/actor.ts'
import { hashPassword } from '#core/access/passwords.ts'
import type { UserType } from '#core/access/user-types.ts'
import { type BackIssueRow, BackIssues } from '#core/back-issues/back-issues.rows.ts'
import { storeBuyer } from '#core/buyers/store-buyer.ts'
import { contextFor } from '#core/context.ts'
import type { Language } from '#core/kernel/languages.ts'
import type { Running } from '#core/platform/make-services.ts'
import { createPromo } from '#core/promos/create-promo.ts'
import { type PublicationRow, Publications } from '#core/publications/publications.rows.ts'
import { Accounts } from '#core/users/accounts.rows.ts'
import { staffActor } from '#core/users/staff-actor.ts'
import { type UserRow, Users } from '#core/users/users.rows.ts'

let counter = 0
let sharedHash: Promise<string> | undefined

/** A staff user (password `masthead`) with its account; a publisher's staff gets a new parent publisher unless one is given. */
export async function makeUser(services: Running, fields: Partial<UserRow> = {}): Promise<UserRow> {
  const n = ++counter
  const userType: UserType = fields.userType ?? 'publisher'
  const needsParent = ['pubadmin', 'admin', 'mailer'].includes(userType)
  const parentPublisherId = fields.parentPublisherId ?? (needsParent ? (await makeUser(services)).id : null)
  sharedHash ??= hashPassword('masthead')
  const passwordHash = await sharedHash
  const email = fields.email ?? `user${n}@example.test`
  return services.db.transaction(async () => {
    const id = await Users.insert(services, {
      firstName: 'Ada',
      lastName: `Tester ${n}`,
      passwordHash,
      ...fields,
      userType,
      email,
      emailKey: email.toLowerCase(),
      parentPublisherId,
    })
    if (userType === 'publisher' || userType === 'reseller') {
      await Accounts.insert(services, {
        userId: id,
        companyName: `Company ${n}`,
        telephone: '020 7946 0000',
        emailAddress: email,
        takesDemoPayments: true,
      })
    }
    // Read back with the defaults that the database filled in.
    return (await Users.find(services, { id })) as UserRow
  })
}

/** A publication, with a publisher of its own unless one is given. */
export async function makePublication(
  services: Running,
  fields: Partial<PublicationRow> = {},
): Promise<PublicationRow> {
  const n = ++counter
  const publisherId = fields.publisherId ?? (await makeUser(services)).id
  const urlKey = fields.urlKey ?? `title-${n}`
  const id = await Publications.insert(services, {
    publicationName: `Title ${n}`,
    emailAddress: 'enquiries@example.test',
    orderEmailAddress: 'orders@example.test',
    ...fields,
    publisherId,
    urlKey,
    urlKeyLower: urlKey.toLowerCase(),
  })
  return rowOf(await Publications.find(services, { id }))
}

/** A live promo code of a publication, valid for every product, with no end and unlimited uses by default. Returns its id. */
export async function makePromo(
  services: Running,
  publicationId: number,
  code: string,
  fields: object = {},
): Promise<number> {
  const ctx = contextFor(services, operator, { entryPoint: 'test' })
  return (await createPromo(ctx, { publicationId, name: code, code, discountPercent: 25, ...fields })).id
}

/** A back issue of a publication: £6.50 and £1.50 postage, $9, not sold for euros, unlimited by default. */
export async function makeBackIssue(
  services: Running,
  publicationId: number,
  fields: Partial<BackIssueRow> = {},
): Promise<BackIssueRow> {
  const volume = fields.volume ?? `Volume ${++counter}`
  const prices = { price: 650, postage: 150, priceUs: 900 }
  const id = await BackIssues.insert(services, { ...prices, ...fields, volume, publicationId })
  return rowOf(await BackIssues.find(services, { id }))
}

/** A newly written row, with the defaults that the database filled in. */
function rowOf<Row>(row: Row | null): Row {
  if (!row) throw new Error('The row was not written')
  return row
}

/** A buyer (password `masthead`) at a publication, who has bought nothing yet. */
export async function makeBuyer(
  services: Running,
  publicationId: number,
  fields: { email?: string; language?: Language | null } = {},
): Promise<{ id: number; email: string; publicationId: number; actor: Extract<Actor, { kind: 'buyer' }> }> {
  const email = fields.email ?? `buyer${++counter}@example.test`
  sharedHash ??= hashPassword('masthead')
  const { id } = await storeBuyer(contextFor(services, operator, { entryPoint: 'test' }), publicationId, {
    email,
    passwordHash: await sharedHash,
    title: 'Ms',
    firstName: 'Nell',
    lastName: 'Gwynne',
    mobile: '',
    language: fields.language ?? null,
  })
  return { id, email, publicationId, actor: { kind: 'buyer', buyerId: id, publicationId } }
}

export const operator: Actor = { kind: 'operator' }
export const system: Actor = { kind: 'system' }

/** The actor of a new user of this type, a member of the given publisher's staff if any; for the type `publisher`, that publisher itself. */
export async function actorOf(services: Running, userType: UserType, publisherId?: number): Promise<Actor> {
  if (userType === 'publisher' && publisherId)
    return staffActor({ id: publisherId, userType, email: '', parentPublisherId: null })
  return staffActor(await makeUser(services, { userType, parentPublisherId: publisherId ?? null }))
}
