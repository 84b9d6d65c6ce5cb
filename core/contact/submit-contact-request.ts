import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { makeQuestion, spendAnswer, spendCaptcha } from '../rate-limits/captcha.ts'
import { networkOf } from '../rate-limits/network.rules.ts'
import { countAttempt, countFromNetwork } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { ContactRequestInput, PlainContactRequestInput } from './contact-request.input.ts'
import { ContactRequests } from './contact-requests.rows.ts'

const perNetwork = { hits: 10, windowSeconds: 60 * 60 }
const perSender = { hits: 5, windowSeconds: 24 * 60 * 60 }
/** Protects our own mailbox against messages from many addresses. */
const overallLimit = { hits: 200, windowSeconds: 60 * 60 }
/** A stricter limit, since a program can easily answer a text question. */
const noScriptLimit = { hits: 20, windowSeconds: 60 * 60 }

/** The text shown to a visitor after sending (spec 3, section 8). */
const thanks = 'Thank you for your Contact Request. A member of the team will be in touch.'

type RequestFields = Omit<z.output<typeof ContactRequestInput>, 'captcha'>

/**
 * Stores a visitor's message from the contact form and enqueues the job that emails it to us. The recipient is a setting; no typed value
 * determines a recipient or a sender.
 */
export const submitContactRequest = useCase({
  permission: 'public',
  input: ContactRequestInput,
  // Refused attempts are counted too.
  transaction: 'none',
  async run(ctx, { captcha, ...request }): Promise<{ message: string }> {
    await countAttempts(ctx, request)
    return storeRequest(ctx, request, () => spendCaptcha(ctx, 'contact', captcha))
  },
})

/** The contact form from a browser without JavaScript, with the answer to `makeContactQuestion`. */
export const submitPlainContactRequest = useCase({
  permission: 'public',
  input: PlainContactRequestInput,
  transaction: 'none',
  async run(ctx, { token, answer, ...request }): Promise<{ message: string }> {
    await countAttempts(ctx, request)
    await countAttempt(ctx, 'contact-plain', noScriptLimit)
    return storeRequest(ctx, request, () => spendAnswer(ctx, 'contact', { token, answer }))
  },
})

/** A new question for a page that works without JavaScript. Nothing is stored. */
export const makeContactQuestion = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  run: async (ctx) => makeQuestion(ctx, 'contact'),
})

async function countAttempts(ctx: AppContext, { email }: RequestFields): Promise<void> {
  await countFromNetwork(ctx, 'contact', perNetwork)
  // Counted by sender and network address, so that messages sent by others under a person's email do not block that person.
  await countAttempt(ctx, `contact-by:${email.toLowerCase()}@${networkOf(ctx.origin.address ?? '')}`, perSender)
  await countAttempt(ctx, 'contact', overallLimit)
}

async function storeRequest(
  ctx: AppContext,
  request: RequestFields,
  spend: () => Promise<void>,
): Promise<{ message: string }> {
  await ctx.db.transaction(async () => {
    await spend()
    const id = await ContactRequests.insert(ctx, request)
    await enqueueMail(ctx, 'contact-request', { contactRequestId: id })
    await recordAudit(ctx, 'leave-contact-request', { type: 'contact-request', id })
  })
  return { message: thanks }
}
