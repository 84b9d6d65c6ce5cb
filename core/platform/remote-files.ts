import type { RemoteFiles } from '#core/ports/remote-files.ts'
import { makePublicLookup, type Resolve } from './public-lookup.ts'

// Loaded where they are needed: a process starts without the SSH library.
const sftp = () => import('./sftp-folder.ts')

/** How long one response of a server may take, and how long it may be idle in the middle of a file. */
const defaultTimeoutMs = 60_000

export function makeRemoteFiles({
  allowsLoopback,
  stableMs,
  timeoutMs = defaultTimeoutMs,
  resolve,
}: {
  allowsLoopback: boolean
  stableMs: number
  timeoutMs?: number
  resolve?: Resolve
}): RemoteFiles {
  const connectOptions = {
    ...makePublicLookup({ allowsLoopback, ...(resolve && { resolve }) }),
    timeoutMs,
    allowsLoopback,
  }
  return {
    allowsLoopback,
    stableMs,
    keyProblem: async (privateKey, passphrase) => (await sftp()).privateKeyProblem(privateKey, passphrase),
    hostKeyOf: async (address) => (await sftp()).readHostKey(connectOptions, address),
    openFolder: async (access, folder, signal) => (await sftp()).openSftpFolder(connectOptions, access, folder, signal),
    fetch: async (request, signal) => (await import('./fetch-file.ts')).fetchFile(connectOptions, request, signal),
  }
}
