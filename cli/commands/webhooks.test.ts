import { beforeAll, describe, expect, it } from 'vitest'
import { startWebhookLoop } from '#core/webhooks/deliver-webhooks.ts'
import { queueWebhooks } from '#core/webhooks/queue-webhooks.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { makePublication } from '#tests/support/factories.ts'
import { atFileEnd } from '#tests/support/file-end.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { openWebhookReceiver, verified, type WebhookReceiver } from '#tests/support/webhook-receiver.ts'

const allowLoopback = { WEBHOOKS_TO_LOOPBACK: '1' }

let services: TestServices
let receiver: WebhookReceiver
let publicationId: number
let publisherEmail: string
beforeAll(async () => {
  services = await openTestServices(allowLoopback)
  atFileEnd(() => services.webhooks.close())
  receiver = await openWebhookReceiver()
  services.clock.now = new Date()
  const publication = await makePublication(services)
  publicationId = publication.id
  publisherEmail = await emailOf(publication.publisherId)
})

async function emailOf(id: number): Promise<string> {
  const [user] = await services.db.query<{ email: string }>(`SELECT email FROM users WHERE id = :id`, { id })
  return user?.email ?? ''
}

const webhooks = (...argv: string[]) =>
  runCli(['webhooks', ...argv, '--publisher', publisherEmail], { env: { ...envOf(services), ...allowLoopback } })

const json = async (...argv: string[]) => JSON.parse((await webhooks(...argv, '--json')).stdout)

/** Sends the deliveries that are due: the commands and the Standard Webhooks library use the system clock. */
async function deliver(): Promise<void> {
  services.clock.now = new Date()
  const loop = startWebhookLoop(services, 60_000)
  await loop.idle()
  await loop.stop()
}

describe('webhooks', () => {
  it('are added, paused, resumed, resent, given a new secret and removed', async () => {
    expect(await json('list')).toEqual([])
    expect(await json('add', receiver.url, '--dry-run')).toMatchObject({ dryRun: true, id: null, secret: null })
    expect(await json('list')).toEqual([])
    const { id, secret } = await json('add', receiver.url, '--events', 'order.paid', 'reader.added')
    const idArg = String(id)
    expect(await json('list')).toMatchObject([
      { id, url: receiver.url, events: ['order.paid', 'reader.added'], state: 'on', waiting: 0 },
    ])
    expect(await json('deliveries', idArg)).toEqual([])

    expect(await webhooks('pause', idArg, '--dry-run')).toMatchObject({
      exit: 0,
      stdout: `Would pause webhook ${id} (${receiver.url})\n`,
    })
    expect(await json('list')).toMatchObject([{ state: 'on' }])
    await webhooks('pause', idArg)
    await queueWebhooks(services, publicationId, { type: 'reader.added', readerId: 1 })
    await deliver()
    expect(receiver.received).toEqual([])
    expect((await webhooks('list')).stdout).toMatch(new RegExp(`^${id}\tpaused\t1\twaiting\t`))
    expect(await webhooks('replay', idArg, '--all-failed')).toMatchObject({ exit: 5 })
    expect(await json('resume', idArg)).toMatchObject({ dryRun: false, id })
    await deliver()
    expect(receiver.received.splice(0).map((delivered) => verified(delivered, secret))).toMatchObject([
      { type: 'reader.added' },
    ])
    const [delivery] = await json('deliveries', idArg, '--state', 'done')
    expect(delivery).toMatchObject({ type: 'reader.added', lastStatus: 204, tries: [{ status: 204 }] })

    expect(await json('replay', idArg, '--delivery', String(delivery.id), '--dry-run')).toMatchObject({ replayed: 1 })
    expect(await json('deliveries', idArg, '--state', 'waiting')).toEqual([])
    expect(await json('rotate-secret', idArg, '--dry-run')).toMatchObject({ secret: null })
    const rotated = await json('rotate-secret', idArg)
    expect(rotated.secret).not.toBe(secret)
    expect(await json('replay', idArg, '--delivery', String(delivery.id))).toMatchObject({ replayed: 1 })
    await deliver()
    const [again] = receiver.received.splice(0)
    if (!again) throw new Error('It was not sent again')
    for (const validSecret of [secret, rotated.secret])
      expect(verified(again, validSecret)).toMatchObject({ type: 'reader.added', data: { readerId: 1 } })

    expect((await webhooks('remove', idArg, '--dry-run')).stdout).toContain('Would remove')
    expect(await webhooks('remove', idArg, '--yes')).toMatchObject({ exit: 0 })
    expect(await json('list')).toEqual([])
    expect(await webhooks('pause', idArg)).toMatchObject({ exit: 4 })
  })

  it('reject a missing or unknown publisher, an invalid URL, unknown events and an unknown webhook', async () => {
    const env = { ...envOf(services), ...allowLoopback }
    expect(await runCli(['webhooks', 'list'], { env })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--publisher <email>'),
    })
    expect(await runCli(['webhooks', 'list', '--publisher', 'no@example.test'], { env })).toMatchObject({ exit: 4 })
    expect(await webhooks('add')).toMatchObject({ exit: 2, stderr: expect.stringContaining('no URL given') })
    expect(await webhooks('add', 'ftp://example.com')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('the URL'),
    })
    expect(await webhooks('add', receiver.url, '--events', 'order.eaten')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--events'),
    })
    expect(await webhooks('pause', 'x')).toMatchObject({ exit: 2 })
    expect(await webhooks('replay', '1')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--all-failed') })
    for (const argv of [
      ['deliveries', '1', '--before', '8,12'],
      ['replay', '1', '--delivery', 'whk_812'],
    ])
      expect(await webhooks(...argv)).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('to list them: subscriptions webhooks deliveries <number>'),
      })
    const { id } = await json('add', receiver.url)
    const { publisherId } = await makePublication(services)
    const byOtherPublisher = await runCli(
      ['webhooks', 'remove', String(id), '--yes', '--as', await emailOf(publisherId)],
      {
        env,
      },
    )
    expect(byOtherPublisher).toMatchObject({ exit: 4 })
    expect(await webhooks('remove', String(id), '--yes', '--as', await emailOf(publisherId))).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--as and --publisher'),
    })
  })
})

describe('the token signing keys', () => {
  const rotate = (...argv: string[]) => runCli(['partners', 'rotate-keys', ...argv], { env: envOf(services) })

  it('are rotated by the operator: within a day, or at once, deleting all others', async () => {
    const first = JSON.parse((await rotate('--now', '--yes', '--json')).stdout)
    expect(first).toMatchObject({ dryRun: false, kid: expect.any(String), deleted: 0 })
    expect((await rotate('--dry-run')).stdout).toContain('Would create a new key')
    expect(await rotate()).toMatchObject({ exit: 0, stdout: expect.stringContaining('Signs from') })
    expect(await rotate()).toMatchObject({ exit: 5 })
    expect(JSON.parse((await rotate('--now', '--yes', '--json')).stdout)).toMatchObject({ deleted: 2 })
    expect(await rotate('--as', publisherEmail)).toMatchObject({ exit: 4 })
  })
})
