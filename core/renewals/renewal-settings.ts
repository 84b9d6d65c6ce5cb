import { z } from 'zod'
import {
  defaultRenewalSettings,
  maxGraceDays,
  type RenewalSettings,
  retryDaysProblem,
} from '../agreements/dunning.rules.ts'
import { deleteRenewalSettings, renewalSettingsOf, storeRenewalSettings } from '../agreements/renewal-settings.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { BasedOn } from '../kernel/based-on.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'

const publicationId = z.coerce.number('Must be a number').int()

/** What one of the acting publisher's titles does after a declined renewal; `isSet`: it has its own days. */
export const getRenewalSettings = useCase({
  permission: 'renewal:read',
  input: z.object({ publicationId }),
  transaction: 'none',
  async run(ctx, input): Promise<RenewalSettings & { isSet: boolean }> {
    const { id } = await ownPublication(ctx, { id: input.publicationId })
    return renewalSettingsOf(ctx, id)
  },
})

const graceMessage = `Enter a number of days from 0 to ${maxGraceDays}`

/**
 * Sets a title's grace period and retry days. The grace period applies to renewals planned from now on: one that is
 * already planned keeps its own, as its reader may have been told of it. The retry days apply from the next decline on,
 * whenever the renewal was planned.
 */
export const setRenewalSettings = useCase({
  permission: 'renewal:settings',
  input: z
    .object({
      publicationId,
      graceDays: z
        .string()
        .trim()
        .regex(/^\d{1,3}$/, { error: graceMessage, abort: true })
        .transform(Number)
        .pipe(z.number().max(maxGraceDays, graceMessage)),
      retryDays: z
        .string()
        .trim()
        .regex(/^(\d{1,3}([\s,]+\d{1,3})*)?$/, {
          error: 'Enter numbers of days with commas between them, such as 1, 3, 7, 14',
          abort: true,
        })
        .transform((text) => (text === '' ? [] : text.split(/[\s,]+/).map(Number))),
      basedOn: BasedOn,
    })
    .superRefine((settings, context) => {
      const message = retryDaysProblem(settings)
      if (message) context.addIssue({ code: 'custom', path: ['retryDays'], message })
    }),
  async run(ctx, { publicationId, basedOn, ...settings }): Promise<void> {
    const { id, publisherId } = await ownPublication(ctx, { id: publicationId })
    await storeRenewalSettings(ctx, id, settings, basedOn)
    await recordAudit(ctx, 'set-renewal-settings', { type: 'publication', id, publisherId }, settings)
  },
})

/** Resets a title to the platform's default days. */
export const resetRenewalSettings = useCase({
  permission: 'renewal:settings',
  input: z.object({ publicationId }),
  async run(ctx, input): Promise<void> {
    const { id, publisherId } = await ownPublication(ctx, { id: input.publicationId })
    if (!(await deleteRenewalSettings(ctx, id))) return
    const { graceDays, retryDays } = defaultRenewalSettings
    await recordAudit(
      ctx,
      'set-renewal-settings',
      { type: 'publication', id, publisherId },
      { graceDays, retryDays: [...retryDays], isDefault: true },
    )
  },
})
