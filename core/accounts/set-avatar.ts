import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { avatarShape } from '../images/image.rules.ts'
import { signedOut } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { accountHolder } from './own-account.ts'
import { publisherOf } from './update-account.ts'

/** Gives the signed-in user a picture, or takes it away (null). The former one is deleted once the new one is in force. */
export const setAvatar = useCase({
  permission: 'account:write',
  input: z.object({ picture: z.instanceof(Uint8Array, { error: 'Choose a picture' }).nullable() }),
  transaction: 'none',
  async run(ctx, { picture }): Promise<{ avatarFile: string | null }> {
    const avatarFile = picture && (await ctx.images.keep(picture, avatarShape, 'picture')).name
    try {
      const former = await ctx.db.transaction(() => writeAvatar(ctx, avatarFile))
      if (former) await ctx.images.remove(former, avatarShape)
    } catch (error) {
      if (avatarFile) await ctx.images.remove(avatarFile, avatarShape)
      throw error
    }
    return { avatarFile }
  },
})

/** Writes the name and gives the former one. */
async function writeAvatar(ctx: AppContext, avatarFile: string | null): Promise<string | null> {
  const { userId } = accountHolder(ctx)
  const now = ctx.now()
  // Taking the row first makes two uploads at once wait for each other: each sees, and deletes, the one before it.
  await ctx.db.run(`UPDATE users SET updated_at = :now WHERE id = :userId`, { now, userId })
  const [user] = await ctx.db.query<{ avatar_file: string | null }>(
    `SELECT avatar_file FROM users WHERE id = :userId`,
    {
      userId,
    },
  )
  if (!user) throw signedOut()
  await ctx.db.run(`UPDATE users SET avatar_file = :avatarFile WHERE id = :userId`, { avatarFile, userId })
  await recordAudit(ctx, avatarFile ? 'set-avatar' : 'remove-avatar', { type: 'user', id: userId, ...publisherOf(ctx) })
  return user.avatar_file
}
