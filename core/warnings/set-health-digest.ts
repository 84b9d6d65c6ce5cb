import { z } from 'zod'
import { conflict } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { HealthDigests } from './health-days.rows.ts'

/** Subscribes the user to the weekly email about data health, or unsubscribes them. */
export const setHealthDigest = useCase({
  permission: 'reader:import',
  input: z.object({ isOn: z.boolean() }),
  async run(ctx, { isOn }): Promise<{ isOn: boolean }> {
    if (ctx.actor.kind !== 'staff') throw conflict('The digest is emailed only to people with a log-in')
    const { userId } = ctx.actor
    if (isOn) await HealthDigests.insertNew(ctx, { userId, askedAt: ctx.now() })
    else await HealthDigests.remove(ctx, { userId })
    return { isOn }
  },
})
