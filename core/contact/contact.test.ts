import { createHmac } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import type { AppContext } from '#core/context.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { encodeCaptcha as encode, solveCaptcha as solve } from '#tests/support/captcha.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { system } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { getCaptcha } from './get-captcha.query.ts'
import { makeContactQuestion, submitContactRequest, submitPlainContactRequest } from './submit-contact-request.ts'

const sendContactRequest = mailSender('contact-request')

let services: TestServices
const startTime = new Date('2026-11-21T10:00:00Z')
beforeAll(async () => {
  services = await openTestServices({ CONTACT_EMAIL: 'desk@masthead.example', MAIL_FROM: 'noreply@masthead.example' })
})
beforeEach(async () => {
  services.clock.now = startTime
  await services.db.run(`DELETE FROM contact_requests`)
  await services.db.run(`DELETE FROM rate_limits`)
})

let network = 0
function visitorFrom(address = `192.0.2.${++network}`): AppContext {
  return { ...services.as(visitor), origin: { entryPoint: 'test', address } }
}

async function solveNewCaptcha(): Promise<string> {
  return encode(await solve(await getCaptcha(visitorFrom(), {})))
}

async function makeForm(fields: Record<string, unknown> = {}) {
  return {
    name: "Ann O'Brien",
    email: `ann-${++network}@example.com`,
    phone: '01326 496 0123',
    message: 'We publish two magazines.\n\nCan you help?',
    captcha: fields.captcha === undefined ? await solveNewCaptcha() : '',
    ...fields,
  }
}

const requests = () => services.db.query<{ id: number; name: string; email: string }>(`SELECT * FROM contact_requests`)
const refusedCaptcha = { kind: 'invalid', fields: { captcha: expect.stringMatching(/confirm again/) } }

describe('a contact request', () => {
  it('is stored, and its job emails it only to the operator', async () => {
    const typed = await makeForm()
    expect(await submitContactRequest(visitorFrom(), typed)).toEqual({
      message: 'Thank you for your Contact Request. A member of the team will be in touch.',
    })
    const [request] = await requests()
    expect(request).toMatchObject({ name: "Ann O'Brien", email: typed.email, phone: '01326 496 0123' })
    const queued = await queuedEmails(services, 'contact-request')
    expect(queued.length).toBeGreaterThan(0)
    expect(JSON.stringify(queued.at(-1))).not.toMatch(/Ann|magazines|@/)

    const id = Number(request?.id)
    expect(await sendContactRequest(services.as(system), { contactRequestId: id })).toBe(true)
    expect(await sendContactRequest(services.as(system), { contactRequestId: id })).toBe(false)
    const emails = await services.mail.devMailbox?.list(10)
    expect(emails).toHaveLength(1)
    expect(emails?.[0]).toMatchObject({
      to: 'desk@masthead.example',
      replyTo: typed.email,
      subject: "Contact request from Ann O'Brien",
      text: expect.stringContaining('Can you help?'),
    })
    expect(emails?.[0]).not.toHaveProperty('cc')
  })

  it('cannot name a recipient, a sender or a header', async () => {
    await expect(
      submitContactRequest(visitorFrom(), await makeForm({ name: 'Ann\r\nBcc: all@example.com' })),
    ).rejects.toMatchObject({ fields: { name: 'Must be a single line' } })
    await expect(
      submitContactRequest(visitorFrom(), await makeForm({ email: 'a@example.com, b@example.com' })),
    ).rejects.toMatchObject({ fields: { email: 'Invalid email address' } })
    await submitContactRequest(visitorFrom(), {
      ...(await makeForm()),
      emailResetMessage: '<b>Relay me</b>',
      to: 'victim@example.com',
      recipient: 'victim@example.com',
    })
    const [request] = await requests()
    await sendContactRequest(services.as(system), { contactRequestId: Number(request?.id) })
    const [mail] = (await services.mail.devMailbox?.list(1)) ?? []
    expect(mail?.to).toBe('desk@masthead.example')
    expect(JSON.stringify(mail)).not.toMatch(/victim|Relay/)
  })

  it('reports everything missing at once, without using up the captcha', async () => {
    const solved = await solveNewCaptcha()
    await expect(submitContactRequest(visitorFrom(), { captcha: solved })).rejects.toMatchObject({
      fields: { name: 'Required', email: 'Required', message: 'Required' },
    })
    await expect(submitContactRequest(visitorFrom(), {})).rejects.toMatchObject({
      fields: { captcha: 'Please confirm that you are not a robot' },
    })
    await submitContactRequest(visitorFrom(), await makeForm({ captcha: solved }))
    expect(await requests()).toHaveLength(1)
  })

  it('goes to the sending address when no other is set', async () => {
    const withoutContactEmail = await openTestServices({ MAIL_FROM: 'noreply@masthead.example' })
    expect(withoutContactEmail.settings.contactEmail).toBe('noreply@masthead.example')
  })
})

describe('a captcha', () => {
  it('is valid once, even for two concurrent requests', async () => {
    const solved = await solveNewCaptcha()
    const outcomes = await Promise.allSettled([
      submitContactRequest(visitorFrom(), await makeForm({ captcha: solved })),
      submitContactRequest(visitorFrom(), await makeForm({ captcha: solved })),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(submitContactRequest(visitorFrom(), await makeForm({ captcha: solved }))).rejects.toMatchObject(
      refusedCaptcha,
    )
    expect(await requests()).toHaveLength(1)
  })

  it('is valid for half an hour, and then deleted', async () => {
    const inTime = await solveNewCaptcha()
    const expired = await solveNewCaptcha()
    services.clock.now = new Date(startTime.getTime() + 30 * 60_000 - 1000)
    await submitContactRequest(visitorFrom(), await makeForm({ captcha: inTime }))
    services.clock.now = new Date(startTime.getTime() + 30 * 60_000 + 1000)
    await expect(submitContactRequest(visitorFrom(), await makeForm({ captcha: expired }))).rejects.toMatchObject(
      refusedCaptcha,
    )
    await cleanUp(services.as(system), {})
    expect(await services.db.query(`SELECT id FROM spent_captchas`)).toEqual([])
  })

  it('must be solved, and must be one that this installation issued', async () => {
    const challenge = await getCaptcha(visitorFrom(), {})
    const solved = await solve(challenge)
    const { parameters, signature } = challenge
    const derivedKey = `${parameters.keyPrefix}${'0'.repeat(64 - parameters.keyPrefix.length)}`
    const forgeries: unknown[] = [
      { challenge, solution: { counter: 1, derivedKey } },
      { challenge, solution: { counter: 1, derivedKey: '00'.repeat(32) } },
      { ...solved, challenge: { parameters: { ...parameters, cost: 1 }, signature } },
      { ...solved, challenge: { parameters: { ...parameters, data: { for: 'contact', validUntil: 4e9 } }, signature } },
      { ...solved, challenge: { parameters: { ...parameters, more: 1 }, signature } },
      { ...solved, challenge: { parameters, signature: `${signature}`.toUpperCase() } },
      { ...solved, challenge: { parameters } },
      { ...solved, challenge: { parameters, signature: createHmac('sha256', 'guess').update('x').digest('hex') } },
      null,
      [],
    ]
    for (const forged of forgeries) {
      await services.db.run(`DELETE FROM rate_limits`)
      await expect(
        submitContactRequest(visitorFrom(), await makeForm({ captcha: encode(forged) })),
        JSON.stringify(forged),
      ).rejects.toMatchObject(refusedCaptcha)
    }
    await expect(
      submitContactRequest(visitorFrom(), await makeForm({ captcha: 'not base64 of JSON' })),
    ).rejects.toMatchObject(refusedCaptcha)
    await submitContactRequest(visitorFrom(), await makeForm({ captcha: encode(solved) }))
    expect(await requests()).toHaveLength(1)
  })

  it('of another installation is refused', async () => {
    const ctx = visitorFrom()
    const otherCtx = { ...ctx, settings: { ...ctx.settings, appSecret: 'another-secret-another-secret-another' } }
    const solved = encode(await solve(await getCaptcha(otherCtx, {})))
    await expect(submitContactRequest(visitorFrom(), await makeForm({ captcha: solved }))).rejects.toMatchObject(
      refusedCaptcha,
    )
  })
})

describe('the rate limit', () => {
  it('counts per network address, refused attempts included', async () => {
    const ctx = visitorFrom()
    for (let n = 0; n < 10; n++)
      await expect(submitContactRequest(ctx, await makeForm({ captcha: 'x' }))).rejects.toMatchObject(refusedCaptcha)
    await expect(submitContactRequest(ctx, await makeForm())).rejects.toMatchObject({ kind: 'tooMany' })
    await submitContactRequest(visitorFrom(), await makeForm())
  })

  it('counts per sender and network address, so others cannot block a sender', async () => {
    const email = 'keen@example.com'
    const ctx = visitorFrom()
    for (let n = 0; n < 5; n++)
      await expect(submitContactRequest(ctx, await makeForm({ email, captcha: 'x' }))).rejects.toMatchObject(
        refusedCaptcha,
      )
    await expect(submitContactRequest(ctx, await makeForm({ email: 'Keen@Example.com' }))).rejects.toMatchObject({
      kind: 'tooMany',
    })
    await submitContactRequest(visitorFrom(), await makeForm({ email }))
  })
})

describe('without JavaScript', () => {
  const numbers: Record<string, number> = Object.fromEntries(
    'zero one two three four five six seven eight nine ten'.split(' ').map((word, n) => [word, n]),
  )
  const makeQuestion = () => makeContactQuestion(visitorFrom(), {})
  const sumOf = (question: string) => {
    const [, first = '', second = ''] = /^What is (\w+) plus (\w+)\?$/.exec(question) ?? []
    return (numbers[first] ?? Number.NaN) + (numbers[second] ?? Number.NaN)
  }
  async function makePlainForm(fields: Record<string, unknown> = {}) {
    const { question, token } = await makeQuestion()
    return { ...(await makeForm({ captcha: '' })), token, answer: String(sumOf(question)), ...fields }
  }
  const refusedAnswer = { kind: 'invalid', fields: { answer: expect.stringMatching(/not the right answer/) } }

  it('a text question replaces the captcha, answered in figures or words', async () => {
    const thanks = { message: expect.stringMatching(/^Thank you for your Contact Request/) }
    expect(await submitPlainContactRequest(visitorFrom(), await makePlainForm())).toEqual(thanks)
    const numberWords =
      'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
        ' ',
      )
    const { answer, ...rest } = await makePlainForm()
    expect(
      await submitPlainContactRequest(visitorFrom(), {
        ...rest,
        answer: ` ${numberWords[Number(answer)]?.toUpperCase()} `,
      }),
    ).toEqual(thanks)
    expect(await requests()).toHaveLength(2)
  })

  it('a wrong, repeated or late answer, and a question from another installation or with other numbers, are refused', async () => {
    const validRequest = await makePlainForm()
    await expect(
      submitPlainContactRequest(visitorFrom(), { ...validRequest, answer: String(Number(validRequest.answer) + 1) }),
    ).rejects.toMatchObject(refusedAnswer)
    await submitPlainContactRequest(visitorFrom(), validRequest)
    await expect(submitPlainContactRequest(visitorFrom(), validRequest)).rejects.toMatchObject(refusedAnswer)
    const late = await makePlainForm()
    const easier = await makePlainForm()
    const [purpose, firstNumber, secondNumber, ...rest] = easier.token.split('.')
    const changedNumber = Number(firstNumber) === 2 && Number(secondNumber) === 2 ? 3 : 2
    const ctx = visitorFrom()
    const otherCtx = { ...ctx, settings: { ...ctx.settings, appSecret: 'another-secret-another-secret-another' } }
    const foreignQuestion = await makeContactQuestion(otherCtx, {})
    for (const forged of [
      { token: [purpose, changedNumber, changedNumber, ...rest].join('.'), answer: String(2 * changedNumber) },
      { token: foreignQuestion.token, answer: String(sumOf(foreignQuestion.question)) },
      { token: 'x', answer: easier.answer },
    ])
      await expect(submitPlainContactRequest(visitorFrom(), { ...easier, ...forged })).rejects.toMatchObject(
        refusedAnswer,
      )
    services.clock.now = new Date(startTime.getTime() + 30 * 60_000 + 1000)
    await expect(submitPlainContactRequest(visitorFrom(), late)).rejects.toMatchObject(refusedAnswer)
    await expect(submitPlainContactRequest(visitorFrom(), await makeForm({ captcha: '' }))).rejects.toMatchObject({
      fields: { token: expect.any(String), answer: 'Please answer the question' },
    })
    expect(await requests()).toHaveLength(1)
  })

  it('accepts twenty an hour in all, and requests with a captcha even after that', async () => {
    for (let n = 0; n < 20; n++) await submitPlainContactRequest(visitorFrom(), await makePlainForm())
    await expect(submitPlainContactRequest(visitorFrom(), await makePlainForm())).rejects.toMatchObject({
      kind: 'tooMany',
    })
    await submitContactRequest(visitorFrom(), await makeForm())
  })
})

it('a contact request is deleted after a year', async () => {
  await submitContactRequest(visitorFrom(), await makeForm())
  services.clock.now = new Date(startTime.getTime() + 364 * 86_400_000)
  expect(await cleanUp(services.as(system), {})).toMatchObject({ contacts: 0 })
  services.clock.now = new Date(startTime.getTime() + 366 * 86_400_000)
  expect(await cleanUp(services.as(system), {})).toMatchObject({ contacts: 1 })
  expect(await requests()).toEqual([])
})
