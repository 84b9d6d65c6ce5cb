import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import type { AppContext } from '#core/context.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { getAccount } from './get-account.query.ts'
import { payeeProviders } from './payee-keys.rules.ts'
import { saveAccount } from './save-account.ts'
import { setPayeeKeys } from './set-payee-keys.ts'

let services: TestServices
let publisher: Extract<Actor, { kind: 'staff' }>
let ctx: AppContext
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(async () => {
  publisher = (await actorOf(services, 'publisher')) as typeof publisher
  ctx = services.as(publisher)
  await services.db.run(`DELETE FROM jobs`)
})

const currentPassword = 'masthead'
const stripeDets = {
  publishableKey: 'pk_test_51Abcdefghij',
  secretKey: 'sk_test_51Abcdefghij4242',
  webhookSecret: 'whsec_Abcdefghijkl9999',
}
const payPalDets = { payPalString: 'AZclient-id_1234567890', secret: 'EFgh-paypal-secret-77120' }
const secureTradingDets = { user: 'ws@harbour.example', pass: 'a pass: with §igns', ref: 'test_harbour12345' }
const allKeys = { stripeDets, payPalDets, secureTradingDets, currentPassword }
const secrets = [stripeDets.secretKey, stripeDets.webhookSecret, payPalDets.secret, secureTradingDets.pass]

async function storedRow(): Promise<Record<string, unknown>> {
  const [row] = await services.db.query<Record<string, unknown>>(`SELECT * FROM accounts WHERE user_id = :id`, {
    id: publisher.userId,
  })
  return row ?? {}
}

const stateOf = async (context: AppContext = ctx) =>
  Object.fromEntries(((await getAccount(context, {})).payees ?? []).map(({ provider, state }) => [provider, state]))

const notices = () => queuedEmails(services, 'account-notice')

describe('payment keys', () => {
  it('are encrypted at rest, shown only masked, and their owner is notified once', async () => {
    await setPayeeKeys(ctx, allKeys)
    const row = JSON.stringify(await storedRow())
    for (const secret of secrets) expect(row).not.toContain(secret)
    expect(row).toContain(stripeDets.publishableKey)
    const account = await getAccount(ctx, {})
    const shown = JSON.stringify(account)
    const sealed = Object.values(await storedRow()).filter((value) => String(value).startsWith('v1.'))
    expect(sealed).toHaveLength(4)
    for (const text of [...secrets, ...sealed]) expect(shown).not.toContain(text)
    expect(account.payees).toEqual([
      {
        provider: 'stripeDets',
        state: 'connected',
        mode: 'test',
        fields: [
          { name: 'publishableKey', value: stripeDets.publishableKey, isSet: true, isUnreadable: false },
          { name: 'secretKey', value: 'sk_test_…4242', isSet: true, isUnreadable: false },
          { name: 'webhookSecret', value: 'whsec_…9999', isSet: true, isUnreadable: false },
        ],
        messagesTo: `http://localhost:3000/api/webhooks/stripe/${publisher.userId}`,
      },
      expect.objectContaining({ provider: 'payPalDets', state: 'connected' }),
      expect.objectContaining({ provider: 'secureTradingDets', state: 'connected', mode: 'test' }),
    ])
    expect(await notices()).toHaveLength(1)
    const audit = await services.db.query<{ facts: unknown }>(
      `SELECT facts FROM audit_log WHERE action = 'change-payee-keys' AND actor_id = :id`,
      { id: publisher.userId },
    )
    expect(audit).toHaveLength(1)
    expect(JSON.stringify(audit)).toContain('stripeDets.secretKey')
    for (const text of [...secrets, '4242', stripeDets.publishableKey]) {
      expect(JSON.stringify(audit)).not.toContain(text)
      expect(JSON.stringify(await notices())).not.toContain(text)
    }
  })

  it('are kept when a field is blank, replaced when it is not, and removed on request', async () => {
    await setPayeeKeys(ctx, allKeys)
    const before = await storedRow()
    await setPayeeKeys(ctx, {
      stripeDets: {
        publishableKey: stripeDets.publishableKey,
        secretKey: '',
        webhookSecret: 'whsec_Anotheroneofthem1',
      },
      currentPassword,
    })
    const after = await storedRow()
    expect(after.stripe_secret_key).toBe(before.stripe_secret_key)
    expect(after.stripe_webhook_secret).not.toBe(before.stripe_webhook_secret)
    expect(await notices()).toHaveLength(2)
    // Sending the same keys again changes nothing and sends no notice.
    await setPayeeKeys(ctx, { payPalDets, currentPassword })
    expect(await notices()).toHaveLength(2)
    await setPayeeKeys(ctx, { stripeDets: { remove: true }, currentPassword })
    expect(await storedRow()).toMatchObject({
      stripe_publishable_key: null,
      stripe_secret_key: null,
      stripe_webhook_secret: null,
    })
    expect((await notices()).map(({ about }) => about.kind)).toEqual([
      'payee-keys-changed',
      'payee-keys-changed',
      'payee-keys-removed',
    ])
    expect(await stateOf()).toEqual({ stripeDets: 'missing', payPalDets: 'connected', secureTradingDets: 'connected' })
  })

  it('require the password again, and are validated first', async () => {
    await expect(setPayeeKeys(ctx, { stripeDets })).rejects.toMatchObject({
      fields: { currentPassword: 'Enter your current password' },
    })
    await expect(setPayeeKeys(ctx, { stripeDets: { remove: true } })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(setPayeeKeys(ctx, { stripeDets, currentPassword: 'wrong' })).rejects.toMatchObject({
      fields: { currentPassword: 'The current password is wrong' },
    })
    await expect(
      setPayeeKeys(ctx, { stripeDets: { ...stripeDets, secretKey: 'sk_live_51Abcdefghij' }, payPalDets: {} }),
    ).rejects.toMatchObject({
      fields: {
        currentPassword: 'Enter your current password',
        'stripeDets.secretKey': expect.stringMatching(/real money/),
        'payPalDets.payPalString': 'Required',
        'payPalDets.secret': 'Required',
      },
    })
    expect(await stateOf()).toEqual({ stripeDets: 'missing', payPalDets: 'missing', secureTradingDets: 'missing' })
    expect(await notices()).toEqual([])
  })

  it('that were encrypted under another APP_SECRET must be entered again', async () => {
    await setPayeeKeys(ctx, allKeys)
    const otherSecretCtx = { ...ctx, settings: { ...ctx.settings, appSecret: 'another-secret-another-secret-another' } }
    const account = await getAccount(otherSecretCtx, {})
    expect(account.payees?.[0]).toMatchObject({
      state: 'incomplete',
      fields: [{ isSet: true }, { isSet: false, isUnreadable: true, value: '' }, { isSet: false, isUnreadable: true }],
    })
    await expect(
      setPayeeKeys(otherSecretCtx, { stripeDets: { secretKey: '' }, currentPassword }),
    ).rejects.toMatchObject({
      fields: { 'stripeDets.secretKey': 'Required' },
    })
    await setPayeeKeys(otherSecretCtx, { stripeDets, currentPassword })
    expect((await stateOf(otherSecretCtx)).stripeDets).toBe('connected')
  })

  it('are visible only to the publisher', async () => {
    for (const userType of ['pubadmin', 'admin', 'mailer', 'reseller', 'superuser'] as const) {
      const otherCtx = services.as(await actorOf(services, userType))
      await expect(setPayeeKeys(otherCtx, allKeys), userType).rejects.toMatchObject({ kind: 'denied' })
      for (const provider of payeeProviders) {
        const sent = { [provider]: allKeys[provider], currentPassword }
        await expect(saveAccount(otherCtx, sent), userType).rejects.toMatchObject({
          kind: 'invalid',
          fields: { [provider]: 'Only the publisher can change this' },
        })
      }
    }
  })
})

describe('saving the whole account', () => {
  it('writes all of it or none', async () => {
    await expect(
      saveAccount(ctx, {
        companyName: 'Half Press',
        stripeDets,
        email: 'half@press.example',
        currentPassword: 'wrong',
      }),
    ).rejects.toMatchObject({ fields: { currentPassword: 'The current password is wrong' } })
    expect((await getAccount(ctx, {})).company?.companyName).not.toBe('Half Press')
    const email = `whole-${publisher.userId}@press.example`
    const saved = await saveAccount(ctx, { companyName: 'Whole Press', stripeDets, email, currentPassword })
    expect(saved).toMatchObject({ email, company: { companyName: 'Whole Press' } })
    expect(await stateOf()).toMatchObject({ stripeDets: 'connected' })
  })

  it('asks for the password only for new keys or another email', async () => {
    const refusal = { fields: { currentPassword: 'Enter your current password' } }
    await expect(saveAccount(ctx, { stripeDets })).rejects.toMatchObject(refusal)
    await expect(saveAccount(ctx, { email: 'new@press.example' })).rejects.toMatchObject(refusal)
    await expect(saveAccount(ctx, { email: publisher.email, firstName: 'Bea' })).resolves.toMatchObject({
      firstName: 'Bea',
    })
  })
})
