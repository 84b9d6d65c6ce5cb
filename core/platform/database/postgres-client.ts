import type { PoolClient } from 'pg'
import type { Sequelize } from 'sequelize'

interface PostgresConnections {
  getConnection(options: { type: 'write' }): Promise<PoolClient>
  releaseConnection(client: PoolClient): void
  pool: { destroy(client: PoolClient): Promise<void> }
}

/**
 * Borrows one connection of the pool for COPY, which Sequelize does not know. Whatever it left open is rolled back; one that stopped
 * in the middle of a COPY is not usable any more and is closed.
 */
export async function borrowClient(
  sequelize: Sequelize,
): Promise<{ client: PoolClient; giveBack(isUsable?: boolean): Promise<void> }> {
  const connections = (sequelize as unknown as { connectionManager: PostgresConnections }).connectionManager
  const client = await connections.getConnection({ type: 'write' })
  return {
    client,
    async giveBack(isUsable = true) {
      if (!isUsable) {
        await connections.pool.destroy(client).catch(() => {})
        return
      }
      await client.query('ROLLBACK').catch(() => {})
      connections.releaseConnection(client)
    },
  }
}
