import { seal, unseal } from '../access/sealed.ts'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import type { SftpAccess } from '../ports/remote-files.ts'
import type { TransferRow } from './transfers.rows.ts'

/** The credentials of a server: a password or a private key for SFTP, the value of a header for https. */
export interface TransferSecret {
  password?: string
  privateKey?: string
  passphrase?: string
  headerValue?: string
}

export function sealSecret({ settings }: Pick<AppContext, 'settings'>, secret: TransferSecret): string | null {
  return Object.keys(secret).length === 0 ? null : seal(settings.appSecret, 'transfer', JSON.stringify(secret))
}

/** Throws `conflict` if it was sealed under another APP_SECRET. */
export function secretOf(
  { settings }: Pick<AppContext, 'settings'>,
  { secretSealed, name }: Pick<TransferRow, 'secretSealed' | 'name'>,
): TransferSecret {
  if (secretSealed === null) return {}
  const text = unseal(settings.appSecret, 'transfer', secretSealed)
  if (text === null)
    throw conflict(`The password or key for the server of “${name}” can no longer be read`, {
      hint: 'Enter the password, key or header again.',
    })
  return JSON.parse(text) as TransferSecret
}

/** The log-in for the server of a transfer. Throws `conflict` while its host key is not confirmed. */
export function sftpAccess(ctx: Pick<AppContext, 'settings'>, transfer: TransferRow): SftpAccess {
  const { host, port, login: user, hostKey, name } = transfer
  if (hostKey === null)
    throw conflict(`The host key of “${name}” is not confirmed`, { hint: 'Check the connection, and confirm its key.' })
  const { password, privateKey, passphrase } = secretOf(ctx, transfer)
  return { host, port, user, hostKey, password, privateKey, passphrase }
}
