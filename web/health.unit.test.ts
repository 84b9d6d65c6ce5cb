import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, it } from 'vitest'
import { readEnv } from '#core/platform/env.ts'
import { envOf } from '#tests/support/captured-io.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { readiness } from './health.ts'

it('is ready without Redis, since jobs then wait in the database, and says that it does not respond', async () => {
  const services = await openTestServices()
  // Nothing listens on the port of discard.
  const { handler, stop } = readiness(services, readEnv({ ...envOf(services), REDIS_URL: 'redis://127.0.0.1:9' }))
  const server = express().get('/readyz', handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ready', database: true, redis: false })
  } finally {
    server.close()
    stop()
  }
})
