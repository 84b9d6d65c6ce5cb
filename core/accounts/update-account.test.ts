import { beforeAll, describe, expect, it } from 'vitest'
import { type UserType, userTypes } from '#core/access/user-types.ts'
import { actorOf, makeUser, operator } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { staffActor } from '../users/staff-actor.ts'
import { accountFields } from './account-fields.rules.ts'
import { getAccount } from './get-account.query.ts'
import { updateAccount } from './update-account.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const asType = async (userType: UserType) => services.as(await actorOf(services, userType))

const auditOf = (userId: number, action: string) =>
  services.db.query<{ facts: unknown; publisher_id: number }>(
    `SELECT facts, publisher_id FROM audit_log WHERE subject_id = :userId AND action = :action ORDER BY id`,
    { userId, action },
  )

const allFields = {
  firstName: 'Ann',
  lastName: "O'Brien",
  companyName: 'Harbour Press',
  fullName: "Ann O'Brien",
  mainContact: 'Bea Lamb',
  addressOne: '1 Quay Street',
  addressTwo: 'Unit 2',
  addressThree: 'Falmouth',
  addressFour: 'Cornwall',
  country: 'ie',
  postZip: 'D02 X285',
  mobile: '+353 (0)87 123-4567',
  telephone: '01632 960114 ext 12',
  emailAddress: 'bea@harbour.example',
  singleEmailAddress: 'subs@harbour.example',
  mainCurrency: 'EUR',
  sellOverseas: 'false',
  allowFullBackIssue: 'true',
  automatedSubscriptionRenewalEmails: true,
  directDebitDets: { serviceUserNumber: '12-34 56', chargeableName: 'HARBOUR PRESS', selectedDD: 'email' },
}

describe('saving the account', () => {
  it('stores all of a publisher’s fields, and names what changed in the audit log without the values', async () => {
    const user = await makeUser(services)
    const ctx = services.as(staffActor(user))
    await updateAccount(ctx, allFields)
    expect(await getAccount(ctx, {})).toMatchObject({
      firstName: 'Ann',
      lastName: "O'Brien",
      company: { companyName: 'Harbour Press', country: 'IE', mobile: '+353 (0)87 123-4567', addressFour: 'Cornwall' },
      selling: {
        mainCurrency: 'EUR',
        sellOverseas: false,
        allowFullBackIssue: true,
        automatedSubscriptionRenewalEmails: true,
        directDebitDets: { serviceUserNumber: '123456', chargeableName: 'HARBOUR PRESS', selectedDD: 'email' },
      },
    })
    const [row] = await auditOf(user.id, 'update-account')
    expect(row?.publisher_id).toBe(user.id)
    expect(JSON.stringify(row?.facts)).toContain('companyName')
    expect(JSON.stringify(row?.facts)).not.toContain('Harbour')
  })

  it('keeps what is not sent, clears what is sent blank, and logs nothing when nothing changed', async () => {
    const user = await makeUser(services)
    const ctx = services.as(staffActor(user))
    await updateAccount(ctx, allFields)
    await updateAccount(ctx, { telephone: '' })
    expect((await getAccount(ctx, {})).company).toMatchObject({ telephone: '', companyName: 'Harbour Press' })
    await updateAccount(ctx, { ...allFields, telephone: '' })
    expect(await auditOf(user.id, 'update-account')).toHaveLength(2)
  })

  it('creates the account of a user who never had one', async () => {
    const ctx = await asType('superuser')
    expect((await getAccount(ctx, {})).company).toMatchObject({ companyName: '', country: 'GB' })
    await updateAccount(ctx, { companyName: 'Masthead Ltd' })
    expect((await getAccount(ctx, {})).company).toMatchObject({ companyName: 'Masthead Ltd' })
  })

  it('reports all errors at once, and stores nothing', async () => {
    const ctx = await asType('publisher')
    const before = await getAccount(ctx, {})
    const long = 'x'.repeat(201)
    await expect(
      updateAccount(ctx, {
        firstName: ' ',
        lastName: long,
        companyName: '',
        mainContact: 'Bea\r\nBcc: all@example.test',
        addressOne: long,
        country: 'Atlantis',
        postZip: 'x'.repeat(21),
        mobile: 'call me',
        telephone: '1'.repeat(41),
        emailAddress: 'not an address',
        singleEmailAddress: 'a@b',
        mainCurrency: 'BTC',
        sellOverseas: 'perhaps',
        directDebitDets: { serviceUserNumber: '12345', chargeableName: 'Café & Co', selectedDD: 'post' },
      }),
    ).rejects.toMatchObject({
      kind: 'invalid',
      fields: {
        firstName: 'Required',
        lastName: 'Must be 100 characters or fewer',
        companyName: 'Required',
        mainContact: 'Must be a single line',
        addressOne: 'Must be 200 characters or fewer',
        country: 'Choose a country from the list',
        postZip: 'Must be 20 characters or fewer',
        mobile: expect.stringMatching(/digits/),
        telephone: 'Must be 40 characters or fewer',
        emailAddress: 'Invalid email address',
        singleEmailAddress: 'Invalid email address',
        mainCurrency: 'Choose GBP, USD or EUR',
        sellOverseas: 'Must be true or false',
        'directDebitDets.serviceUserNumber': 'Must be six digits',
        'directDebitDets.chargeableName': expect.stringMatching(/bank statements/),
        'directDebitDets.selectedDD': 'Choose email or provider, or leave it blank',
      },
    })
    expect(await getAccount(ctx, {})).toEqual(before)
  })

  it('requires a name for bank statements and the main contact’s address before direct debit is turned on', async () => {
    const ctx = await asType('publisher')
    await updateAccount(ctx, { emailAddress: '' })
    await expect(updateAccount(ctx, { directDebitDets: { selectedDD: 'email' } })).rejects.toMatchObject({
      fields: {
        'directDebitDets.chargeableName': expect.stringMatching(/bank statement/),
        emailAddress: expect.stringMatching(/mandates/),
      },
    })
    await updateAccount(ctx, { directDebitDets: { selectedDD: 'provider', chargeableName: 'HARBOUR PRESS' } })
    await updateAccount(ctx, { directDebitDets: { selectedDD: '' } })
    expect((await getAccount(ctx, {})).selling?.directDebitDets).toMatchObject({
      selectedDD: '',
      chargeableName: 'HARBOUR PRESS',
    })
  })
})

describe('who may change what', () => {
  const parts: Record<UserType, (keyof typeof accountFields)[]> = {
    superuser: ['person', 'company'],
    reseller: ['person', 'company'],
    publisher: ['person', 'company', 'selling'],
    pubadmin: ['person'],
    admin: ['person'],
    mailer: ['person'],
  }
  for (const userType of userTypes) {
    it(`${userType}: ${parts[userType].join(', ')}`, async () => {
      const ctx = await asType(userType)
      const before = await getAccount(ctx, {})
      const allowedFields: Record<string, unknown> = {}
      for (const part of ['person', 'company', 'selling'] as const) {
        for (const field of accountFields[part]) {
          const sent = { [field]: allFields[field] }
          if (parts[userType].includes(part)) {
            Object.assign(allowedFields, sent)
            continue
          }
          await expect(updateAccount(ctx, sent), field).rejects.toMatchObject({
            kind: 'invalid',
            fields: { [field]: expect.stringMatching(/publisher/) },
          })
        }
      }
      expect(await getAccount(ctx, {})).toEqual(before)
      await updateAccount(ctx, allowedFields)
      expect(await getAccount(ctx, {})).toMatchObject({ firstName: 'Ann' })
    })
  }

  it('shows a publication administrator its publisher’s company, other staff none, and the money settings only to the publisher', async () => {
    const publisher = await makeUser(services)
    await updateAccount(services.as(staffActor(publisher)), allFields)
    const accountSeenBy = async (userType: UserType) =>
      getAccount(services.as(await actorOf(services, userType, publisher.id)), {})
    expect(await accountSeenBy('pubadmin')).toMatchObject({
      company: { companyName: 'Harbour Press' },
      mayChangeCompany: false,
      selling: null,
      payees: null,
    })
    for (const userType of ['admin', 'mailer'] as const) {
      expect(await accountSeenBy(userType)).toMatchObject({ company: null, selling: null, payees: null })
    }
    expect(await getAccount(await asType('reseller'), {})).toMatchObject({
      mayChangeCompany: true,
      selling: null,
      payees: null,
    })
  })

  it('is for users with an account, not for the operator', async () => {
    await expect(getAccount(services.as(operator), {})).rejects.toMatchObject({ kind: 'denied' })
    await expect(updateAccount(services.as(operator), allFields)).rejects.toMatchObject({ kind: 'denied' })
  })
})
