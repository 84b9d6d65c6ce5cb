import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { makeQuestion, spendAnswer, spendCaptcha } from '../rate-limits/captcha.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { ContactRequestInput, PlainContactRequestInput } from './contact-request.input.ts'
import { ContactRequests } from './contact-requests.rows.ts'

const perAddress = { hits: 10, windowSeconds: 60 * 60 }
const perSender = { hits: 5, windowSeconds: 24 * 60 * 60 }
/** Protects our own mailbox, however many machines somebody uses. */
const inAll = { hits: 200, windowSeconds: 60 * 60 }
/** A question in words is easily answered by a machine. */
const noScriptLimit = { hits: 20, windowSeconds: 60 * 60 }

/** What a visitor reads after sending (spec 3, section 8). */
const thanks = 'Thank you for your Contact Request. A member of the team will be in touch.'

type RequestFields = Omit<z.output<typeof ContactRequestInput>, 'captcha'>

/**
 * Stores a visitor's message from the contact form and enqueues the job that mails it to us. The recipient is a setting; nothing that was typed
 * chooses a recipient or a sender.
 */
export const leaveContactRequest = useCase({
  permission: 'public',
  input: ContactRequestInput,
  // Tries count even where they are refused.
  transaction: 'none',
  async run(ctx, { captcha, ...request }): Promise<{ message: string }> {
    await countTries(ctx, request)
    return storeRequest(ctx, request, () => spendCaptcha(ctx, 'contact', captcha))
  },
})

/** The same from a browser that runs no scripts, with the answer of `makeContactQuestion`. */
export const leavePlainContactRequest = useCase({
  permission: 'public',
  input: PlainContactRequestInput,
  transaction: 'none',
  async run(ctx, { token, answer, ...request }): Promise<{ message: string }> {
    await countTries(ctx, request)
    await countAttempt(ctx, 'contact-plain', noScriptLimit)
    return storeRequest(ctx, request, () => spendAnswer(ctx, 'contact', { token, answer }))
  },
})

/** A fresh question for a page that works without scripts. Nothing of it is stored. */
export const makeContactQuestion = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  run: async (ctx) => makeQuestion(ctx, 'contact'),
})

async function countTries(ctx: AppContext, { email }: RequestFields): Promise<void> {
  if (ctx.origin.address) await countAttempt(ctx, `contact-from:${ctx.origin.address}`, perAddress)
  // Counted together with the address: messages that others send in somebody's name cannot keep that person from writing.
  await countAttempt(ctx, `contact-by:${email.toLowerCase()}@${ctx.origin.address ?? ''}`, perSender)
  await countAttempt(ctx, 'contact', inAll)
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
