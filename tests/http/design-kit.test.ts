import { expect, it } from 'vitest'
import { startTestServer } from '#tests/support/web-server.ts'

/** The statuses of the design kit and of its form, in an installation with these settings. */
async function statusesOf(env: Record<string, string>): Promise<number[]> {
  const server = await startTestServer({ seed: false, env })
  try {
    const address = `${server.url}/testst/`
    const opened = await fetch(address)
    const sent = await fetch(address, { method: 'POST', body: new URLSearchParams({ word: 'x' }), redirect: 'manual' })
    return [opened.status, sent.status]
  } finally {
    await server.stop()
  }
}

it('the design kit does not exist in production', async () => {
  expect(await statusesOf({})).toEqual([200, 302])
  expect(await statusesOf({ NODE_ENV: 'production', APP_URL: 'https://masthead.example' })).toEqual([404, 404])
})
