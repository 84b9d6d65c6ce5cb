import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams'

/** A COPY ... FROM STDIN that is under way on a connection, which takes nothing else until `end`. */
export interface OpenCopy {
  /** Waits while the server has enough to do. Throws what the server said of an earlier piece. */
  write(text: string | Uint8Array): Promise<void>
  end(): Promise<void>
  /** Breaks it off; the connection is of no use afterwards. */
  abort(why: Error): Promise<void>
}

export function openCopy(client: PoolClient, sql: string): OpenCopy {
  const copy: CopyStreamQuery = client.query(copyFrom(sql))
  let failure: unknown
  copy.on('error', (error) => {
    failure ??= error
  })
  return {
    async write(text) {
      if (failure !== undefined) throw failure
      if (!copy.write(text)) await Promise.race([once(copy, 'drain'), finished(copy)])
    },
    async end() {
      copy.end()
      await finished(copy)
    },
    async abort(why) {
      copy.destroy(why)
      await finished(copy).catch(() => {})
    },
  }
}
