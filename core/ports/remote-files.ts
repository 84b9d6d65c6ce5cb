/** How a server for files is reached by SFTP. */
export interface SftpAccess {
  host: string
  port: number
  user: string
  /** One of the two. */
  password?: string | undefined
  /** In OpenSSH's or PEM form. */
  privateKey?: string | undefined
  passphrase?: string | undefined
  /** The fingerprint its host key must have, as OpenSSH writes it: `SHA256:…`. Nothing is sent to a server that has another one. */
  hostKey: string
}

/** A file as a server lists it. */
export interface RemoteFile {
  name: string
  bytes: number
  modifiedAt: Date
}

/**
 * A folder of a server. Its functions throw `upstream` where trying again may help (the server went away), `notFound` for a folder or file
 * that is not there, and `conflict` where the server does not allow it.
 */
export interface RemoteFolder {
  /** The plain files in it, whatever order the server has them in. Throws `tooLarge` for a folder of more files than anybody looks through. */
  list(): Promise<RemoteFile[]>
  /** Null where there is none by that name. */
  look(name: string): Promise<RemoteFile | null>
  /** The bytes as they come. */
  read(name: string): AsyncIterable<Uint8Array>
  /** Puts a file into a folder within this one, which is made where it is missing, under its own name or, where that is taken, one like it. */
  moveInto(name: string, folder: string): Promise<void>
  /** Writes under a temporary name, so that nobody fetches a partial file; returns the number of bytes. */
  write(name: string, chunks: AsyncIterable<Uint8Array>): Promise<number>
  /** Gives what was written its name, in place of a file that has it. */
  publish(name: string): Promise<void>
  /** Takes away what was written and not published; nothing goes wrong where there is none. */
  discard(name: string): Promise<void>
  close(): void
}

/** A file of a web server. */
export interface FetchedFile {
  name: string
  /** As announced; null where it was not. */
  bytes: number | null
  /** By what the server would know that we have it: its ETag, or when it was changed. */
  version: string | null
  chunks: AsyncIterable<Uint8Array>
}

/** Files on servers of publishers and mailing houses, and on none inside the network. */
export interface RemoteFiles {
  /** Whether http:// and addresses of this machine may be entered, for tests and development. */
  readonly allowsLoopback: boolean
  /** For how long the size of a file has to stay the same, in milliseconds, until it counts as whole. */
  readonly settleMs: number
  /** What is wrong with a private key, as text; null where it can be used. */
  keyProblem(privateKey: string, passphrase: string): Promise<string | null>
  /** The fingerprint of the host key that a server shows. Nothing is sent to it. */
  hostKeyOf(address: { host: string; port: number }): Promise<string>
  /** Logs in and opens a folder; a raised signal ends the connection. Throws `invalid` for a refused login, and `conflict` for another host key. */
  openFolder(access: SftpAccess, folder: string, signal?: AbortSignal): Promise<RemoteFolder>
  /** Fetches a file; null where the server says that it still is the version that is named. The header goes to the first host alone. */
  fetch(
    request: { url: string; header: { name: string; value: string } | null; version: string | null },
    signal?: AbortSignal,
  ): Promise<FetchedFile | null>
}
