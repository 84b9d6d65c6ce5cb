import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppContext, contextFor } from '#core/context.ts'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import { fixReaders } from '#core/fixes/fix-readers.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { removeReaders } from '#core/removals/remove-readers.ts'
import { Users } from '#core/users/users.rows.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { makeShop } from '#tests/support/shop.ts'
import { staffCookie } from '#tests/support/staff-session.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

/** The Undo of a message, pressed twice: the second request arrives after the first has done its work. */
let server: TestServer
let publicationId: number
let ctx: AppContext
let cookie: string
beforeAll(async () => {
  server = await startTestServer({ seed: false })
  const { services } = server
  const shop = await makeShop(services)
  publicationId = shop.id
  ctx = contextFor(services, await actorOf(services, 'publisher', shop.publisherId), { entryPoint: 'test' })
  const email = (await Users.find(services, { id: shop.publisherId }))?.email ?? ''
  cookie = await staffCookie(services, email)
})
afterAll(() => server.stop())

async function send(path: string, values: Record<string, string>) {
  const headers = { cookie, Origin: server.url }
  const body = new URLSearchParams(values)
  const response = await fetch(server.url + path, { method: 'POST', redirect: 'manual', headers, body })
  const message = response.headers.getSetCookie().find((setCookie) => setCookie.startsWith('masthead-toast='))
  return {
    status: response.status,
    to: response.headers.get('location'),
    message:
      message &&
      decodeURIComponent(message)
        .match(/"kind":"(\w+)","text":"([^"]*)"/)
        ?.slice(1, 3),
  }
}

/** Sends the request twice, one after the other, and returns both responses. */
async function pressTwice(path: string, values: Record<string, string>) {
  return [await send(path, values), await send(path, values)]
}

const addReader = (lastName: string, more = {}) => makeReader(server.services, publicationId, { lastName, ...more })
const manageData = () => `/managedata?publication=${publicationId}`

describe('Undo pressed twice reports success twice', () => {
  it('for a reader removed on its page', async () => {
    const id = await addReader('Quill')
    await removeReader(ctx, { id })
    const restored = { status: 302, to: `/editreader/${id}`, message: ['success', 'Reader restored'] }
    const responses = await pressTwice(`/searchreaders/${publicationId}`, { intent: 'restore', id: String(id) })
    expect(responses).toEqual([restored, restored])
    expect(await readerRow(server.services, id)).toMatchObject({ last_name: 'Quill' })
    // A reader that never existed is not found.
    expect(await send(`/searchreaders/${publicationId}`, { intent: 'restore', id: '999999999' })).toMatchObject({
      status: 404,
    })
  })

  it('for a reader removed in Manage Data', async () => {
    const id = await addReader('Nib')
    await removeReader(ctx, { id })
    const restored = { status: 302, to: manageData(), message: ['success', 'Reader restored'] }
    expect(await pressTwice(manageData(), { intent: 'restore', id: String(id) })).toEqual([restored, restored])
  })

  it('for readers removed together: the second time there is nobody left to restore', async () => {
    const { id: removalId } = await removeReaders(ctx, {
      publicationId,
      readerIds: [await addReader('Ink'), await addReader('Well')],
    })
    const responses = await pressTwice(manageData(), { intent: 'restore-chosen', id: String(removalId) })
    expect(responses.map(({ to, message }) => [to, ...(message ?? [])])).toEqual([
      [manageData(), 'success', '2 readers restored'],
      [manageData(), 'success', 'No reader is left to restore'],
    ])
  })

  it('for a fix', async () => {
    const id = await addReader('Finch', { firstName: 'Ida', fullName: '' })
    const fix = await fixReaders(ctx, { publicationId, kind: 'full-names', readerIds: [id] })
    const undone = { status: 302, to: manageData(), message: ['success', 'Undone: 1 reader is restored'] }
    expect(await pressTwice(manageData(), { intent: 'undo-fix', id: String(fix.id) })).toEqual([undone, undone])
    expect(await readerRow(server.services, id)).toMatchObject({ full_name: '' })
  })

  it.each([
    [() => manageData(), 'undo-merge'],
    [() => `/managedata/likely/${publicationId}`, 'undo'],
  ])('for a merge', async (path, intent) => {
    const survivorId = await addReader('Lee')
    const removedId = await addReader('Leigh')
    const readerIds = [survivorId, removedId]
    const { mergeId } = await mergeReaders(ctx, { publicationId, readerIds, survivorId })
    const undone = { status: 302, to: path(), message: ['success', 'Merge undone: 1 reader restored'] }
    expect(await pressTwice(path(), { intent, id: String(mergeId) })).toEqual([undone, undone])
    expect(await readerRow(server.services, removedId)).toMatchObject({ last_name: 'Leigh' })
  })
})
