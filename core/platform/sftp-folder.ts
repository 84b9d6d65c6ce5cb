import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { extname } from 'node:path/posix'
import ssh2, { type Client, type FileEntryWithStats, type SFTPWrapper, type Stats } from 'ssh2'
import { AppError, conflict, isAppError } from '#core/kernel/errors.ts'
import type { RemoteFile, RemoteFolder, SftpAccess } from '#core/ports/remote-files.ts'
import { connectionProblem } from './connection-problem.ts'
import { type makePublicLookup, RefusedAddress } from './public-lookup.ts'

export interface ConnectOptions extends ReturnType<typeof makePublicLookup> {
  /** The timeout of one response. */
  timeoutMs: number
}

/** One message of the protocol; servers need not accept longer ones. */
const pieceBytes = 32 * 1024
/** Concurrent requests, so that a distant server's latency is not paid for each. */
const inFlight = 16
const maxFiles = 20_000
const maxNamesTried = 1000

/** The protocol's status codes (draft-ietf-secsh-filexfer-02, section 7). */
const status = { eof: 1, noSuchFile: 2, permissionDenied: 3, unsupported: 8 }

/** Logs in to a server by SFTP and opens a folder of it. */
export async function openSftpFolder(
  connectOptions: ConnectOptions,
  { host, port, hostKey, user, ...secrets }: SftpAccess,
  folder: string,
  signal?: AbortSignal,
): Promise<RemoteFolder> {
  let presentedKey = ''
  const client = await connectTo(connectOptions, { host, port }, (auth) => ({
    ...auth,
    username: user,
    ...(secrets.privateKey
      ? { privateKey: secrets.privateKey, ...(secrets.passphrase ? { passphrase: secrets.passphrase } : {}) }
      : { password: secrets.password ?? '' }),
    // Before any credentials are sent.
    hostVerifier: (key: Buffer) => {
      presentedKey = fingerprint(key)
      return presentedKey === hostKey
    },
  })).catch((error: unknown) => {
    if (presentedKey !== '' && presentedKey !== hostKey) throw changedHostKey(presentedKey, hostKey)
    throw error
  })
  const session = openSession(client, connectOptions.timeoutMs, signal)
  try {
    const sftp = await session.send<SFTPWrapper>('The server does not offer SFTP', (callback) => client.sftp(callback))
    return folderOf(session, sftp, folder)
  } catch (error) {
    session.close()
    throw error
  }
}

/** The fingerprint of a server's host key. The connection ends there, without a log-in. */
export async function readHostKey(
  connectOptions: ConnectOptions,
  address: { host: string; port: number },
): Promise<string> {
  let presentedKey = ''
  const verify = (key: Buffer) => {
    presentedKey = fingerprint(key)
    return false
  }
  await connectTo(connectOptions, address, (auth) => ({ ...auth, username: 'nobody', hostVerifier: verify })).then(
    (client) => client.end(),
    (error: unknown) => {
      if (presentedKey === '') throw error
    },
  )
  return presentedKey
}

/** The fingerprint in OpenSSH's format. */
function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

function changedHostKey(presentedKey: string, expected: string): AppError {
  return conflict(`The server presented a different host key than before: ${presentedKey}, not ${expected}`, {
    hint: 'Ask whoever runs the server. If its key was replaced, confirm the new one; otherwise somebody may be intercepting the connection. Nothing was sent.',
    detail: { hostKey: presentedKey },
  })
}

export function privateKeyProblem(privateKey: string, passphrase: string): string | null {
  const key = ssh2.utils.parseKey(privateKey, passphrase === '' ? undefined : passphrase)
  if (!(key instanceof Error)) return key.isPrivateKey() ? null : 'This is a public key: enter the private one'
  if (/passphrase/i.test(key.message) || /Bad decrypt|integrity/i.test(key.message))
    return passphrase === '' ? 'This key needs its passphrase' : 'The passphrase does not open this key'
  return 'This is not a private key in OpenSSH or PEM format'
}

interface Auth {
  sock: Socket
  readyTimeout: number
  keepaliveInterval: number
  keepaliveCountMax: number
}

async function connectTo(
  { lookup, refuseLiteralAddress, timeoutMs }: ConnectOptions,
  { host, port }: { host: string; port: number },
  configure: (auth: Auth) => ssh2.ConnectConfig,
): Promise<Client> {
  let socket: Socket | undefined
  const client = new ssh2.Client()
  // Events after the connection was closed are ignored.
  client.on('error', () => {})
  try {
    refuseLiteralAddress(host)
    const connecting = connectSocket({ host, port, lookup, noDelay: true })
    socket = connecting
    connecting.setTimeout(timeoutMs, () => connecting.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })))
    await once(connecting, 'connect')
    connecting.setTimeout(0)
    const auth = { sock: connecting, readyTimeout: timeoutMs, keepaliveInterval: 10_000, keepaliveCountMax: 3 }
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve)
      client.once('error', reject)
      client.once('close', () => reject(Object.assign(new Error(), { code: 'ECONNRESET' })))
      client.connect(configure(auth))
    })
    return client
  } catch (error) {
    client.end()
    socket?.destroy()
    throw logInProblem(error, host)
  }
}

function logInProblem(error: unknown, host: string): AppError {
  const { level, message } = error as { level?: string; message?: string }
  if (level === 'client-authentication')
    return new AppError('invalid', 'The server refused the log-in', {
      hint: 'Check the user name, and the password or key.',
    })
  if (error instanceof RefusedAddress)
    return new AppError('invalid', `${host} is not an address on the public internet`)
  if (level === 'client-timeout') return connectionLost('The server did not respond in time', error)
  if (/^Cannot parse privateKey/.test(message ?? ''))
    return new AppError('invalid', 'The private key cannot be used', { hint: 'Enter it again.' })
  return connectionLost(connectionProblem(error) ?? 'The SSH connection could not be established', error)
}

function connectionLost(message: string, cause: unknown): AppError {
  return new AppError('upstream', message, { cause })
}

interface SftpSession {
  /** One request and its response; if the connection ends, it rejects with that error. */
  send<Value = undefined>(
    what: string,
    request: (callback: (error: Error | null | undefined, value?: Value) => void) => void,
  ): Promise<Value>
  close(): void
}

function openSession(client: Client, timeoutMs: number, signal: AbortSignal | undefined): SftpSession {
  let isOpen = true
  let end: (error: Error) => void = () => {}
  const ended = new Promise<never>((_, reject) => {
    end = reject
  })
  ended.catch(() => {})
  const close = () => {
    isOpen = false
    signal?.removeEventListener('abort', onAbort)
    client.end()
    client.destroy()
  }
  const onAbort = () => {
    end(new AppError('unavailable', 'Stopped on request'))
    close()
  }
  client.on('close', () => {
    isOpen = false
    end(connectionLost('The server closed the connection', null))
  })
  client.on('error', (error) => end(connectionLost(connectionProblem(error) ?? 'The connection was lost', error)))
  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort)
  return {
    close,
    async send<Value>(
      what: string,
      request: (callback: (error: Error | null | undefined, value?: Value) => void) => void,
    ) {
      let timer: NodeJS.Timeout | undefined
      const answer = new Promise<Value>((resolve, reject) => {
        timer = setTimeout(() => {
          reject(connectionLost('The server did not respond in time', null))
          close()
        }, timeoutMs)
        if (!isOpen) return reject(connectionLost('The server closed the connection', null))
        request((error, value) => (error ? reject(error) : resolve(value as Value)))
      })
      try {
        return await Promise.race([answer, ended])
      } catch (error) {
        throw isAppError(error) ? error : refusal(what, error, isOpen)
      } finally {
        clearTimeout(timer)
        answer.catch(() => {})
      }
    },
  }
}

/** The message for a status that is not a success. */
function refusal(what: string, error: unknown, isOpen: boolean): Error {
  const { code } = error as { code?: unknown }
  if (!isOpen) return connectionLost('The server closed the connection', error)
  if (code === status.eof) return error as Error
  if (code === status.noSuchFile) return new AppError('notFound', `${what}: there is no such file or folder`)
  if (code === status.permissionDenied) return conflict(`${what}: the server does not allow it`)
  if (code === status.unsupported) return conflict(`${what}: the server cannot do that`)
  return new AppError('upstream', `${what}: the server refused it (${(error as Error).message})`, { cause: error })
}

function folderOf({ send, close }: SftpSession, sftp: SFTPWrapper, folder: string): RemoteFolder {
  const pathOf = (name: string) => (folder === '' ? name : `${folder.replace(/\/+$/, '')}/${name}`)
  const folderLabel = folder === '' ? 'The home folder' : `The folder ${folder}`
  const temporary = (name: string) => pathOf(`.${name}.part`)

  async function statOf(path: string): Promise<Stats | null> {
    try {
      return await send<Stats>(path, (callback) => sftp.stat(path, callback))
    } catch (error) {
      if (isAppError(error) && error.kind === 'notFound') return null
      throw error
    }
  }
  const withHandle = async <Value>(path: string, mode: 'r' | 'w', use: (handle: Buffer) => Promise<Value>) => {
    const handle = await send<Buffer>(path, (callback) => sftp.open(path, mode, callback))
    try {
      return await use(handle)
    } finally {
      // If the connection is gone, so is the handle.
      await send(path, (callback) => sftp.close(handle, callback)).catch(() => {})
    }
  }

  async function readPiece(path: string, handle: Buffer, position: number): Promise<Buffer> {
    const piece = Buffer.allocUnsafe(pieceBytes)
    let filled = 0
    while (filled < pieceBytes) {
      const read = await send<number>(path, (callback) =>
        sftp.read(handle, piece, filled, pieceBytes - filled, position + filled, (error, bytes) =>
          (error as { code?: unknown } | undefined)?.code === status.eof ? callback(null, 0) : callback(error, bytes),
        ),
      )
      if (read === 0) break
      filled += read
    }
    return piece.subarray(0, filled)
  }

  return {
    close,
    async list() {
      const entries = await send<FileEntryWithStats[]>(folderLabel, (callback) => sftp.readdir(folder || '.', callback))
      if (entries.length > maxFiles) throw new AppError('tooLarge', `${folderLabel} has ${entries.length} files`)
      return entries.flatMap(({ filename, attrs }) =>
        attrs.isFile() && !filename.includes('/') ? [fileOf(filename, attrs)] : [],
      )
    },
    async stat(name) {
      const stats = await statOf(pathOf(name))
      return stats && fileOf(name, stats)
    },
    async *read(name) {
      const path = pathOf(name)
      const handle = await send<Buffer>(path, (callback) => sftp.open(path, 'r', callback))
      const pieces: Promise<Buffer>[] = []
      try {
        for (let position = 0; ; ) {
          while (pieces.length < inFlight) {
            const piece = readPiece(path, handle, position)
            // A failure is thrown when it is this piece's turn.
            piece.catch(() => {})
            pieces.push(piece)
            position += pieceBytes
          }
          const piece = (await pieces.shift()) as Buffer
          if (piece.length > 0) yield piece
          if (piece.length < pieceBytes) return
        }
      } finally {
        await Promise.allSettled(pieces)
        await send(path, (callback) => sftp.close(handle, callback)).catch(() => {})
      }
    },
    async moveInto(name, subfolder) {
      const target = pathOf(subfolder)
      if ((await statOf(target)) === null)
        await send(`The folder ${subfolder} could not be made`, (callback) => sftp.mkdir(target, callback))
      const extension = extname(name)
      const stem = name.slice(0, name.length - extension.length)
      let newName = name
      for (let n = 2; (await statOf(`${target}/${newName}`)) !== null && n < maxNamesTried; n++)
        newName = `${stem}-${n}${extension}`
      await send(`${name} could not be moved`, (callback) =>
        sftp.rename(pathOf(name), `${target}/${newName}`, callback),
      )
    },
    write: (name, chunks) =>
      withHandle(temporary(name), 'w', async (handle) => {
        let position = 0
        const writes: Promise<unknown>[] = []
        try {
          for await (const chunk of chunks) {
            for (let from = 0; from < chunk.length; from += pieceBytes) {
              const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).subarray(from, from + pieceBytes)
              const at = position
              const sent = send(`${name} could not be written`, (callback) =>
                sftp.write(handle, piece, 0, piece.length, at, callback),
              )
              sent.catch(() => {})
              writes.push(sent)
              position += piece.length
              if (writes.length >= inFlight) await writes.shift()
            }
          }
          await Promise.all(writes)
        } finally {
          await Promise.allSettled(writes)
        }
        return position
      }),
    async publish(name) {
      const from = temporary(name)
      const to = pathOf(name)
      // Atomically if the server supports it: SFTP's own rename refuses a name that is taken.
      const isDone = await send<undefined>(name, (callback) => sftp.ext_openssh_rename(from, to, callback)).then(
        () => true,
        () => false,
      )
      if (isDone) return
      if ((await statOf(to)) !== null)
        await send(`${name} could not be replaced`, (callback) => sftp.unlink(to, callback))
      await send(`${name} could not be renamed`, (callback) => sftp.rename(from, to, callback))
    },
    async discard(name) {
      await send(name, (callback) => sftp.unlink(temporary(name), callback)).catch(() => {})
    },
  }
}

const fileOf = (name: string, { size, mtime }: Pick<Stats, 'size' | 'mtime'>): RemoteFile => ({
  name,
  bytes: size,
  modifiedAt: new Date(mtime * 1000),
})
