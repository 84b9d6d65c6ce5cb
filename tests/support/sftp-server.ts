import { generateKeyPairSync } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2'
import { atFileEnd } from './file-end.ts'

const { OPEN_MODE, STATUS_CODE, flagsToString } = ssh2.utils.sftp

/** A key in OpenSSH's older PEM format. */
export function sshKey(): string {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey
}

export interface SftpServer {
  port: number
  /** The folder that its user sees as the root. */
  folder: string
  password: string
  /** An accepted public key of the user. */
  userKey: string | null
  /** Attempted log-ins, refused ones too. */
  logins: number
  /** How many bytes of files were sent. */
  sent: number
  isReadOnly: boolean
  /** Called before each request: false ends the connection instead. */
  onRequest: (request: 'list' | 'open' | 'read' | 'write' | 'rename', path: string) => boolean
  /** Names and contents of the files in a folder, hidden ones too. */
  files(folder?: string): Record<string, string>
  put(name: string, text: string | Buffer): void
  /** Replaces the host key, as if it were another machine. */
  changeHostKey(): void
}

const hostKeys = [sshKey(), sshKey()] as const

/** A server that speaks SFTP to one user, with its own folder on disk. */
export async function startSftpServer(): Promise<SftpServer> {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-sftp-'))
  const state: SftpServer = {
    port: 0,
    folder,
    password: 'a fine password',
    userKey: null,
    logins: 0,
    sent: 0,
    isReadOnly: false,
    onRequest: () => true,
    files: (inner = '.') =>
      Object.fromEntries(
        readdirSync(join(folder, inner), { withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name }) => [name, readFileSync(join(folder, inner, name), 'utf8')]),
      ),
    put: (name, text) => writeFileSync(join(folder, name), text),
    changeHostKey() {
      for (const connection of connections) connection.end()
      server = listenAgain(1)
    },
  }
  const connections = new Set<Connection>()
  const makeServer = (keyIndex: number) =>
    new ssh2.Server({ hostKeys: [hostKeys[keyIndex] as string] }, (client) => {
      connections.add(client)
      // Like OpenSSH: otherwise each small response waits 40 ms for the acknowledgement of the previous one. The types lack it.
      ;(client as unknown as { setNoDelay(isOn: boolean): void }).setNoDelay(true)
      client.on('error', () => {})
      client.on('close', () => connections.delete(client))
      client.on('authentication', (login) => {
        if (login.method === 'none') return login.reject(['password', 'publickey'])
        state.logins++
        const isKnown = login.username === 'mailing' && isAuthorised(state, login)
        return isKnown ? login.accept() : login.reject(['password', 'publickey'])
      })
      client.on('ready', () =>
        client.on('session', (accept) => {
          accept().on('sftp', (open) => serve(state, open(), () => client.end()))
        }),
      )
    })
  let server = makeServer(0)
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  function listenAgain(keyIndex: number) {
    server.close()
    const next = makeServer(keyIndex)
    next.listen(state.port, '127.0.0.1')
    return next
  }
  await listen(0)
  state.port = (server.address() as AddressInfo).port
  atFileEnd(async () => {
    for (const connection of connections) connection.end()
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  })
  return state
}

function isAuthorised({ password, userKey }: SftpServer, login: ssh2.AuthContext): boolean {
  if (login.method === 'password') return login.password === password
  if (login.method !== 'publickey' || userKey === null) return false
  const key = ssh2.utils.parseKey(userKey)
  if (key instanceof Error || !key.getPublicSSH().equals(login.key.data)) return false
  return !login.signature || key.verify(login.blob as Buffer, login.signature, login.hashAlgo) === true
}

interface Handle {
  path: string
  fd?: number
  isRead?: boolean
}

function serve(state: SftpServer, sftp: SFTPWrapper, disconnect: () => void): void {
  const handles = new Map<number, Handle>()
  let lastHandle = 0
  const onDisk = (path: string) => join(state.folder, normalize(`/${path}`))
  const sendHandle = (id: number, handle: Handle) => {
    const name = Buffer.alloc(4)
    name.writeUInt32BE(++lastHandle)
    handles.set(lastHandle, handle)
    sftp.handle(id, name)
  }
  const handleOf = (name: Buffer) => handles.get(name.readUInt32BE(0))
  /** Executes a request; errors are reported by its status. */
  const answer = (id: number, work: () => void) => {
    try {
      work()
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      sftp.status(id, isMissing ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE)
    }
  }
  const mayContinue = (...args: Parameters<SftpServer['onRequest']>) => {
    if (state.onRequest(...args)) return true
    disconnect()
    return false
  }
  const change = (id: number, work: () => void) =>
    state.isReadOnly
      ? sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
      : answer(id, () => {
          work()
          sftp.status(id, STATUS_CODE.OK)
        })
  const attributes = ({ mode, uid, gid, size, atimeMs, mtimeMs }: Stats) => ({
    mode,
    uid,
    gid,
    size,
    atime: Math.floor(atimeMs / 1000),
    mtime: Math.floor(mtimeMs / 1000),
  })
  sftp.on('OPENDIR', (id, path) => {
    if (!mayContinue('list', path)) return
    answer(id, () => {
      readdirSync(onDisk(path))
      sendHandle(id, { path })
    })
  })
  sftp.on('READDIR', (id, name) => {
    const handle = handleOf(name)
    if (!handle || handle.isRead) return void sftp.status(id, STATUS_CODE.EOF)
    handle.isRead = true
    const names = readdirSync(onDisk(handle.path))
    sftp.name(
      id,
      names.map((filename) => ({
        filename,
        longname: filename,
        attrs: attributes(statSync(join(onDisk(handle.path), filename))),
      })),
    )
  })
  sftp.on('OPEN', (id, path, flags) => {
    if (!mayContinue('open', path)) return
    const isWriting = (flags & OPEN_MODE.WRITE) !== 0
    if (isWriting && state.isReadOnly) return void sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
    answer(id, () => sendHandle(id, { path, fd: openSync(onDisk(path), flagsToString(flags) ?? 'r') }))
  })
  sftp.on('READ', (id, name, offset, length) => {
    const handle = handleOf(name)
    if (!mayContinue('read', handle?.path ?? '')) return
    const piece = Buffer.alloc(length)
    const read = readSync(handle?.fd ?? -1, piece, 0, length, offset)
    state.sent += read
    if (read === 0) sftp.status(id, STATUS_CODE.EOF)
    else sftp.data(id, piece.subarray(0, read))
  })
  sftp.on('WRITE', (id, name, offset, data) => {
    const handle = handleOf(name)
    if (!mayContinue('write', handle?.path ?? '')) return
    writeSync(handle?.fd ?? -1, data, 0, data.length, offset)
    sftp.status(id, STATUS_CODE.OK)
  })
  sftp.on('FSTAT', (id, name) => sftp.attrs(id, attributes(fstatSync(handleOf(name)?.fd ?? -1))))
  sftp.on('CLOSE', (id, name) => {
    const { fd } = handleOf(name) ?? {}
    if (fd !== undefined) closeSync(fd)
    handles.delete(name.readUInt32BE(0))
    sftp.status(id, STATUS_CODE.OK)
  })
  for (const request of ['STAT', 'LSTAT'] as const)
    sftp.on(request, (id: number, path: string) => answer(id, () => sftp.attrs(id, attributes(statSync(onDisk(path))))))
  sftp.on('REALPATH', (id, path) =>
    sftp.name(id, [{ filename: normalize(`/${path}`), longname: '', attrs: {} as never }]),
  )
  sftp.on('MKDIR', (id, path) => change(id, () => mkdirSync(onDisk(path))))
  sftp.on('REMOVE', (id, path) => change(id, () => unlinkSync(onDisk(path))))
  sftp.on('RENAME', (id, from, to) => {
    if (!mayContinue('rename', from)) return
    change(id, () => {
      // As the protocol requires: never over an existing file.
      if (existsSync(onDisk(to))) throw new Error('The file exists')
      renameSync(onDisk(from), onDisk(to))
    })
  })
  sftp.on('end', () => {
    for (const { fd } of handles.values()) if (fd !== undefined) closeSync(fd)
  })
}
