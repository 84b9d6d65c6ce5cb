import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, expect, it } from 'vitest'
import { requestLog } from './request-log.ts'

const paths: unknown[] = []
const record = (fields: object) => void paths.push('path' in fields ? fields.path : undefined)
const app = express()
app.use(requestLog({ info: record, warn: record, error: record }), (_, response) => void response.end())
const server = app.listen(0)
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it('logs the path of a request, without personal data or tokens', async () => {
  const token = 'Zk3v-'.repeat(8).concat('abc')
  const requested = [
    `/reset/${token}`,
    `/reset/${token}.data`,
    `/api/users/reset/${token}`,
    '/api/users/email/ann@example.test',
    '/api/users/email/ann%40example.test',
    '/editreader/12.data',
  ]
  for (const path of requested) await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}?q=ann`)
  expect(paths).toEqual([
    '/reset/…',
    '/reset/…',
    '/api/users/reset/…',
    '/api/users/email/…',
    '/api/users/email/…',
    '/editreader/12.data',
  ])
})
