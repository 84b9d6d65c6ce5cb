import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { atFileEnd } from '#tests/support/file-end.ts'
import { openWebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { makeWebhookSender } from './webhook-sender.ts'

const request = { headers: { 'webhook-id': 'msg_1' }, body: '{"type":"webhook.test"}' }
const notPublic = 'Its address is not on the public internet'

type Resolve = NonNullable<Parameters<typeof makeWebhookSender>[0]['resolve']>
const resolvingTo = (...addresses: string[]): Resolve => {
  return (_, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
}
const sender = (options: Partial<Parameters<typeof makeWebhookSender>[0]> = {}) => {
  const webhookSender = makeWebhookSender({ allowsLoopback: true, ...options })
  atFileEnd(() => webhookSender.close())
  return webhookSender
}

describe('a response', () => {
  it('is accepted with only its beginning read, even if it has ten megabytes', async () => {
    const receiver = await openWebhookReceiver()
    let sent = 0
    receiver.answer = (response) => {
      const parts = function* () {
        for (; sent < 10_000_000; sent += 65_536) yield 'x'.repeat(65_536)
      }
      Readable.from(parts()).pipe(response)
    }
    const outcome = await sender().post({ url: receiver.url, ...request })
    expect(outcome).toMatchObject({ status: 200, answer: 'x'.repeat(1024) })
    expect(sent).toBeLessThan(10_000_000)
    expect(receiver.received).toMatchObject([{ body: request.body, headers: { 'webhook-id': 'msg_1' } }])
  })

  it('with a redirect is a response, and is not followed', async () => {
    const receiver = await openWebhookReceiver()
    receiver.answer = (response) => response.writeHead(307, { location: `${receiver.url}/next` }).end()
    expect(await sender().post({ url: receiver.url, ...request })).toMatchObject({ status: 307 })
    expect(receiver.received).toHaveLength(1)
  })

  it('includes the seconds of its Retry-After header', async () => {
    const receiver = await openWebhookReceiver()
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': '120' }).end('slow down')
    expect(await sender().post({ url: receiver.url, ...request })).toMatchObject({
      status: 429,
      answer: 'slow down',
      retryAfterSeconds: 120,
    })
  })

  it('that never comes, or never ends, times out', async () => {
    const receiver = await openWebhookReceiver()
    receiver.answer = () => {}
    const problem = 'No answer within 0.05 seconds'
    expect(await sender({ timeoutMs: 50 }).post({ url: receiver.url, ...request })).toMatchObject({ problem })
    receiver.answer = (response) => response.writeHead(200).write('a')
    expect(await sender({ timeoutMs: 50 }).post({ url: receiver.url, ...request })).toMatchObject({ problem })
    const silent: Resolve = () => {}
    expect(
      await sender({ timeoutMs: 50, resolve: silent }).post({ url: 'https://silent.example/', ...request }),
    ).toMatchObject({ problem })
  })

  it('arrives over a new connection when the kept-alive one was closed', async () => {
    const receiver = await openWebhookReceiver()
    const post = sender().post
    expect(await post({ url: receiver.url, ...request })).toMatchObject({ status: 204 })
    receiver.answer = (response, { headers }) => {
      receiver.answer = (next) => next.writeHead(201).end()
      expect(headers.connection).toBe('keep-alive')
      response.socket?.resetAndDestroy()
    }
    expect(await post({ url: receiver.url, ...request })).toMatchObject({ status: 201 })
  })

  it('that is missing because the connection was refused is reported with this reason', async () => {
    const closed = createServer()
    const port = await new Promise<number>((resolve) =>
      closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port)),
    )
    await new Promise((resolve) => closed.close(resolve))
    expect(await sender().post({ url: `http://127.0.0.1:${port}/`, ...request })).toMatchObject({
      problem: 'The connection was refused',
    })
  })
})

describe('an address on the internal network', () => {
  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://127.1/',
    'https://[fd00::1]/',
    'http://example.com/',
    'file:///etc/passwd',
    'no address',
  ])('is refused: %s', async (url) => {
    const outcome = await sender({ allowsLoopback: false }).post({ url, ...request })
    expect('problem' in outcome).toBe(true)
    if (url !== 'no address') expect(outcome).toMatchObject({ problem: notPublic })
  })

  it.each([
    ['127.0.0.1'],
    ['10.0.0.8'],
    ['::1'],
    ['fe80::1'],
    ['::ffff:192.168.0.1'],
    ['100.64.1.1'],
    ['93.184.216.34', '10.0.0.8'],
  ])('is refused behind a name: %s', async (...addresses) => {
    const guarded = sender({ allowsLoopback: false, resolve: resolvingTo(...addresses) })
    expect(await guarded.post({ url: 'https://inside.example/', ...request })).toMatchObject({ problem: notPublic })
  })

  it('is checked once per connection, and the connection goes to the checked address', async () => {
    const receiver = await openWebhookReceiver()
    const { port } = new URL(receiver.url)
    const answers = ['127.0.0.1', '10.0.0.8']
    const lookedUp: string[] = []
    const rebinding: Resolve = (hostname, callback) => {
      lookedUp.push(hostname)
      resolvingTo(answers[lookedUp.length - 1] ?? '10.0.0.8')(hostname, callback)
    }
    const guarded = sender({ resolve: rebinding })
    expect(await guarded.post({ url: `http://rebinding.example:${port}/`, ...request })).toMatchObject({ status: 204 })
    expect(lookedUp).toEqual(['rebinding.example'])
    guarded.close()
    expect(await guarded.post({ url: `http://rebinding.example:${port}/`, ...request })).toMatchObject({
      problem: notPublic,
    })
  })

  it('is refused even when the machine itself is allowed', async () => {
    expect(await sender().post({ url: 'http://192.168.1.1/', ...request })).toMatchObject({ problem: notPublic })
  })
})
