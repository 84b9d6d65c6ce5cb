import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { replaceKey } from './issue-api-key.ts'
import { ownApiKey } from './own-api-key.ts'

/** Replaces a key with a new one of the same name and scopes; the old one works for another day. */
export const replaceApiKey = useCase({
  permission: 'api-key:write',
  input: z.object({ keyId: z.coerce.number('Required').int() }),
  async run(ctx, { keyId }): Promise<{ key: string; previousEndsAt: Date }> {
    const { key, publication } = await ownApiKey(ctx, keyId)
    return replaceKey(ctx, publication, key)
  },
})
