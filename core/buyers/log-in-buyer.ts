import { DisplayLanguage } from '../kernel/form-fields.ts'
import { useCase } from '../use-case.ts'
import { type OpenedBuyerSession, openBuyerSession } from './buyer-session.ts'
import { BuyerCredentials, checkBuyerCredentials } from './check-buyer-credentials.ts'

/** Logs a buyer in to their account at one publication. */
export const logInBuyer = useCase({
  permission: 'public',
  input: BuyerCredentials.extend({ language: DisplayLanguage }),
  transaction: 'none',
  async run(ctx, input): Promise<OpenedBuyerSession> {
    const buyer = await checkBuyerCredentials(ctx, input)
    return ctx.db.transaction(() => openBuyerSession(ctx, buyer, input.language ?? null))
  },
})
