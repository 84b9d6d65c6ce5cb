import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { avatarShape } from '../images/image.rules.ts'
import { unauthenticated } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { changeUser, lockedUser } from '../users/users.rows.ts'
import { accountHolder } from './own-account.ts'
import { publisherOf } from './update-account.ts'

/** Sets the logged-in user's picture, or removes it (null). The previous one is deleted after the change is committed. */
export const setAvatar = useCase({
  permission: 'account:write',
  input: z.object({ picture: z.instanceof(Uint8Array, { error: 'Choose an image' }).nullable() }),
  transaction: 'none',
  async run(ctx, { picture }): Promise<{ avatarFile: string | null }> {
    const avatarFile = picture && (await ctx.images.save(picture, avatarShape, 'picture')).name
    let former: string | null
    try {
      former = await ctx.db.transaction(() => writeAvatar(ctx, avatarFile))
    } catch (error) {
      if (avatarFile) await ctx.images.remove(avatarFile, avatarShape)
      throw error
    }
    // The change is committed: an old picture that cannot be deleted does not undo it.
    if (former)
      await ctx.images
        .remove(former, avatarShape)
        .catch((error: unknown) => ctx.log.warn({ error }, 'the previous picture was not deleted'))
    return { avatarFile }
  },
})

/** Writes the name and returns the previous one. */
async function writeAvatar(ctx: AppContext, avatarFile: string | null): Promise<string | null> {
  const { userId } = accountHolder(ctx)
  // The lock makes each of two concurrent uploads see, and delete, the previous picture.
  const user = await lockedUser(ctx, userId)
  if (!user) throw unauthenticated()
  await changeUser(ctx, userId, { avatarFile })
  await recordAudit(ctx, avatarFile ? 'set-avatar' : 'remove-avatar', { type: 'user', id: userId, ...publisherOf(ctx) })
  return user.avatarFile
}
