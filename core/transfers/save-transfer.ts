import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf, timeOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type AppError, conflict, invalid, isAppError } from '../kernel/errors.ts'
import { recordVersion } from '../kernel/record-version.ts'
import { layoutNamed } from '../mailing/layout-row.ts'
import { ownPublication, refuseExample } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { alertableUsers } from './alert-users.query.ts'
import { lastDueOn } from './last-due.rules.ts'
import { ownTransfer } from './own-transfer.ts'
import { NewTransfer, transferFields } from './transfer.input.ts'
import { transferProblems } from './transfer-problems.ts'
import { forgetFetched } from './transfer-runs.rows.ts'
import { sealSecret, type TransferSecret } from './transfer-secret.ts'
import { selectTransfers, type Transfer, Transfers } from './transfers.rows.ts'

/** More servers than any publication has. */
const maxTransfers = 50

const fields = z.object(transferFields)
type Fields = z.output<typeof fields>

/** Adds a server from which files are fetched, or to which they are uploaded. By SFTP nothing is sent to it before its host key is confirmed. */
export const addTransfer = useCase({
  permission: 'transfer:write',
  input: z.object({ publicationId: z.coerce.number().int(), ...NewTransfer, ...transferFields }),
  alsoCheck: (ctx, raw) => transferProblems(ctx, raw, { protocol: raw.protocol ?? 'sftp', kind: raw.kind }),
  async run(ctx, { publicationId, kind, protocol, ...settings }): Promise<{ id: number }> {
    const publication = await ownPublication(ctx, { id: publicationId })
    refuseExample(publication, 'exchanges no files')
    const existing = await selectTransfers(ctx, 'x.publication_id = :publicationId', { publicationId })
    if (existing.length >= maxTransfers) throw conflict(`There are already ${maxTransfers} transfers, the maximum`)
    await requireValidChoices(ctx, publication, settings)
    const { password, privateKey, passphrase, headerValue, ...values } = settings
    const secret = newSecret({ password, privateKey, passphrase, headerValue }, protocol)
    const id = await Transfers.insert(ctx, {
      publicationId,
      kind,
      protocol,
      ...values,
      secretSealed: sealSecret(ctx, secret),
      scheduledOn: lastDue(ctx, settings.runAt),
      madeBy: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
    })
    await recordAudit(ctx, 'add-transfer', { type: 'transfer', id, publisherId: publication.publisherId }, { kind })
    return { id }
  },
})

/**
 * Changes a transfer. If the secret is left blank, the stored one is kept, unless the server or login changed: credentials for one server are never
 * sent to another. The host key of a new server must be confirmed first. With `version`, the version of the transfer that was edited
 * (`recordVersion`), it is refused if somebody else has changed the transfer since: a merge could send the credentials of one server to another.
 */
export const changeTransfer = useCase({
  permission: 'transfer:write',
  input: z.object({ transferId: z.coerce.number().int(), version: z.string().default(''), ...transferFields }),
  async alsoCheck(ctx, raw) {
    const transfer = await ownTransfer(ctx, Number(raw.transferId))
    refuseStale(transfer, String(raw.version ?? ''))
    const isStored = transfer.secretSealed !== null
    return transferProblems(ctx, raw, transfer, {
      login: isStored && isSameServer(transfer, raw) && String(raw.login ?? '').trim() === transfer.login,
      header: isStored && isSameServer(transfer, raw),
    })
  },
  async run(ctx, { transferId, version, ...settings }): Promise<void> {
    const transfer = await ownTransfer(ctx, transferId)
    refuseStale(transfer, version)
    await requireValidChoices(ctx, { id: transfer.publicationId, publisherId: transfer.publisherId }, settings)
    const { password, privateKey, passphrase, headerValue, ...values } = settings
    const secret = newSecret({ password, privateKey, passphrase, headerValue }, transfer.protocol)
    const isSame = isSameServer(transfer, settings)
    const keepsSecret = Object.keys(secret).length === 0 && isSame && keepsHeader(transfer, settings)
    const changed = await Transfers.update(
      ctx,
      { id: transfer.id, updatedAt: transfer.updatedAt },
      {
        ...values,
        ...(keepsSecret ? {} : { secretSealed: sealSecret(ctx, secret) }),
        ...(isSame ? {} : { hostKey: null, seenHostKey: null }),
        ...(settings.runAt === transfer.runAt && settings.isOn === transfer.isOn
          ? {}
          : { scheduledOn: lastDue(ctx, settings.runAt) }),
      },
    )
    if (changed === 0) throw changedMeanwhile()
    if (transfer.protocol === 'https' && settings.url !== transfer.url) await forgetFetched(ctx, transfer.id)
    await recordAudit(ctx, 'change-transfer', subject(transfer))
  },
})

function refuseStale(transfer: Transfer, version: string): void {
  if (version !== '' && version !== recordVersion(transfer)) throw changedMeanwhile()
}

function changedMeanwhile(): AppError {
  return conflict('Somebody has changed this transfer since you opened it', {
    hint: 'Save again to replace their settings with yours, or open the transfer again to see theirs.',
  })
}

/** Confirms the host key that the server of a transfer showed when its connection was checked. */
export const confirmHostKey = useCase({
  permission: 'transfer:write',
  input: z.object({ transferId: z.coerce.number().int(), hostKey: z.string('Required') }),
  async run(ctx, { transferId, hostKey }): Promise<void> {
    const transfer = await ownTransfer(ctx, transferId)
    const { id, updatedAt } = transfer
    const changed = await Transfers.update(
      ctx,
      { id, updatedAt, seenHostKey: hostKey },
      { hostKey, seenHostKey: null, updatedAt },
    )
    if (changed === 0)
      throw conflict('The server has since presented a different key', { hint: 'Check the connection again.' })
    await recordAudit(ctx, 'confirm-host-key', subject(transfer))
  },
})

/** Removes a transfer. Its runs stay in the log of imports and mailing files. */
export const removeTransfer = useCase({
  permission: 'transfer:write',
  input: z.object({ transferId: z.coerce.number().int() }),
  async run(ctx, { transferId }): Promise<void> {
    const transfer = await ownTransfer(ctx, transferId)
    await Transfers.update(ctx, { id: transfer.id }, { removedAt: ctx.now(), secretSealed: null, isOn: false })
    await recordAudit(ctx, 'remove-transfer', subject(transfer))
  },
})

const subject = ({ id, publisherId }: Transfer) => ({ type: 'transfer', id, publisherId }) as const

/** Checks that the publication has the layout, and that the users to be alerted belong to its publisher. */
async function requireValidChoices(
  ctx: AppContext,
  publication: { id: number; publisherId: number },
  { layout, alertUsers }: Pick<Fields, 'layout' | 'alertUsers'>,
): Promise<void> {
  // The layout may have been removed since the form was opened, or since it was stored.
  await layoutNamed(ctx, publication, layout).catch((error) => {
    if (!isAppError(error) || error.kind !== 'notFound') throw error
    throw invalid({ layout: 'Choose one of the layouts' })
  })
  const people = new Set((await alertableUsers(ctx, publication.publisherId)).map(({ id }) => id))
  if (!alertUsers.every((id) => people.has(id))) throw invalid({ alertUsers: 'Choose people from the list' })
}

function newSecret(
  { password, privateKey, passphrase, headerValue }: Required<TransferSecret>,
  protocol: Transfer['protocol'],
): TransferSecret {
  if (protocol === 'https') return headerValue === '' ? {} : { headerValue }
  if (privateKey !== '') return { privateKey, ...(passphrase === '' ? {} : { passphrase }) }
  return password === '' ? {} : { password }
}

/** Whether the input refers to the server that the secret was entered for. */
function isSameServer(transfer: Transfer, settings: Record<string, unknown>): boolean {
  if (transfer.protocol === 'sftp')
    return String(settings.host ?? '').trim() === transfer.host && Number(settings.port ?? 22) === transfer.port
  const origin = (url: string) => (URL.canParse(url) ? new URL(url).origin : null)
  return origin(String(settings.url ?? '').trim()) === origin(transfer.url)
}

function keepsHeader({ protocol }: Transfer, { headerName }: Fields): boolean {
  return protocol === 'sftp' || headerName !== ''
}

/** The last day on which a new transfer counts as run: today if its time has passed, so that it begins tomorrow. */
function lastDue(ctx: AppContext, runAt: string): Day {
  const { timeZone } = ctx.settings
  return lastDueOn(runAt, { today: dayOf(ctx.now(), timeZone), time: timeOf(ctx.now(), timeZone) })
}
