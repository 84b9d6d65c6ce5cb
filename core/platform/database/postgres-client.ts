import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import type { PoolClient } from 'pg'
import { type CopyStreamQuery, type CopyToStreamQuery, from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Sequelize } from 'sequelize'
import type { OpenCopy, PostgresConnection } from '#core/ports/bulk.ts'

interface PostgresConnections {
  getConnection(options: { type: 'write' }): Promise<PoolClient>
  releaseConnection(client: PoolClient): void
  pool: { destroy(client: PoolClient): Promise<void> }
}

/** Borrows one connection of a pool for COPY, which Sequelize does not support. */
export async function borrowClient(sequelize: Sequelize): Promise<PostgresConnection> {
  const connections = (sequelize as unknown as { connectionManager: PostgresConnections }).connectionManager
  const client = await connections.getConnection({ type: 'write' })
  return {
    query: (sql, values) => client.query(sql, values),
    copyIn: (sql) => openCopy(client.query(copyFrom(sql))),
    copyOut: (sql, encoding) => copiedBlocks(client.query(copyTo(sql)), encoding),
    async release(isUsable = true) {
      if (!isUsable) {
        await connections.pool.destroy(client).catch(() => {})
        return
      }
      await client.query('ROLLBACK').catch(() => {})
      connections.releaseConnection(client)
    },
  }
}

function openCopy(copy: CopyStreamQuery): OpenCopy {
  // Once for all writes: `finished` never removes its listeners.
  const ended = finished(copy)
  let failure: unknown
  ended.catch((error) => {
    failure = error
  })
  return {
    async write(text) {
      if (failure !== undefined) throw failure
      if (!copy.write(text)) await Promise.race([once(copy, 'drain'), ended])
    },
    async end() {
      copy.end()
      await ended
    },
    async abort(reason) {
      copy.destroy(reason)
      await ended.catch(() => {})
    },
  }
}

async function* copiedBlocks(copy: CopyToStreamQuery, encoding: 'latin1' | 'utf8'): AsyncGenerator<string> {
  const decoder = new StringDecoder(encoding)
  let incompleteRow = ''
  try {
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      const text = incompleteRow + decoder.write(chunk)
      const end = text.lastIndexOf('\n') + 1
      incompleteRow = text.slice(end)
      if (end > 0) yield text.slice(0, end)
    }
  } finally {
    copy.destroy()
  }
}
