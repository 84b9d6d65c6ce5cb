/** The connection settings of an SFTP server. */
export interface SftpAccess {
  host: string
  port: number
  user: string
  /** One of the two. */
  password?: string | undefined
  /** In OpenSSH's or PEM form. */
  privateKey?: string | undefined
  passphrase?: string | undefined
  /** The fingerprint its host key must have, as OpenSSH writes it: `SHA256:…`. Nothing is sent to a server with a different one. */
  hostKey: string
}

/** A file as a server lists it. */
export interface RemoteFile {
  name: string
  bytes: number
  modifiedAt: Date
}

/**
 * A folder of a server. Its functions throw `upstream` if a retry may help (the connection was lost), `notFound` for a folder or file
 * that does not exist, and `conflict` if the server does not allow it.
 */
export interface RemoteFolder {
  /** The regular files in it, in the server's order. Throws `tooLarge` for a folder with too many files to list. */
  list(): Promise<RemoteFile[]>
  /** Null if there is none by that name. */
  stat(name: string): Promise<RemoteFile | null>
  /** The bytes as they arrive. */
  read(name: string): AsyncIterable<Uint8Array>
  /** Moves a file into a subfolder, which is created if missing, under its own name or, if that is taken, a similar one. */
  moveInto(name: string, folder: string): Promise<void>
  /** Writes under a temporary name, so that no partial file is fetched; returns the number of bytes. */
  write(name: string, chunks: AsyncIterable<Uint8Array>): Promise<number>
  /** Renames the written file to its name, replacing an existing file. */
  publish(name: string): Promise<void>
  /** Deletes a written file that was not published. Idempotent. */
  discard(name: string): Promise<void>
  close(): void
}

/** A file of a web server. */
export interface FetchedFile {
  name: string
  /** From the Content-Length header; null if the server does not send it. */
  bytes: number | null
  /** The version for a conditional request: its ETag, or its modification time. */
  version: string | null
  chunks: AsyncIterable<Uint8Array>
}

/** Files on servers of publishers and mailing houses, but never on servers inside our own network. */
export interface RemoteFiles {
  /** Whether http:// and addresses of this machine may be entered, for tests and development. */
  readonly allowsLoopback: boolean
  /** How long the size of a file must be unchanged, in milliseconds, before it counts as complete. */
  readonly stableMs: number
  /** What is wrong with a private key, as text; null if it can be used. */
  keyProblem(privateKey: string, passphrase: string): Promise<string | null>
  /** The fingerprint of a server's host key. No credentials are sent to it. */
  hostKeyOf(address: { host: string; port: number }): Promise<string>
  /**
   * Logs in and opens a folder; aborting the signal closes the connection. Throws `invalid` for a refused log-in, and `conflict` for a
   * different host key.
   */
  openFolder(access: SftpAccess, folder: string, signal?: AbortSignal): Promise<RemoteFolder>
  /** Fetches a file; null if it is unchanged since `version` (304). The header is sent only to the first host. */
  fetch(
    request: { url: string; header: { name: string; value: string } | null; version: string | null },
    signal?: AbortSignal,
  ): Promise<FetchedFile | null>
}
