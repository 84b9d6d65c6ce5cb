import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Services } from '#core/context.ts'
import { imageProblems } from '#core/images/image.rules.ts'
import { atFileEnd } from '#tests/support/file-end.ts'
import { imageForm, pngOf } from '#tests/support/pictures.ts'
import { type S3Server, startS3Server } from '#tests/support/s3-server.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { sendImage } from '#web/image-files.ts'
import { type ApiFixture, callApi, openApiFixture } from './api-fixture.ts'

let fixture: ApiFixture
let images: string
beforeAll(async () => {
  fixture = await openApiFixture()
  images = await serveImages(fixture.services)
})

async function serveImages(services: Pick<Services, 'images' | 'log'>): Promise<string> {
  const app = express()
  app.get('/images/:file', sendImage(services))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  atFileEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const upload = (body: unknown, headers?: Record<string, string>) =>
  callApi(fixture, 'POST', '/publication/uploadimage', {
    token: fixture.tokens.publisher,
    body,
    ...(headers ? { headers } : {}),
  })

/** Sends a chunked body without a declared length, and returns the server's response. */
function sendInPieces(megabytes: number): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${fixture.url}/publication/uploadimage`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${fixture.tokens.publisher}`,
        'content-type': 'multipart/form-data; boundary=x',
      },
    })
    request.on('response', (response) => {
      let text = ''
      response.on('data', (piece) => {
        text += String(piece)
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.on('error', reject)
    request.write('--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n')
    for (let sentMegabytes = 0; sentMegabytes < megabytes; sentMegabytes++) request.write(Buffer.alloc(1024 * 1024))
    request.end('\r\n--x--\r\n')
  })
}

describe('uploading a picture by the API', () => {
  it('returns the address, which shows the picture and can be given to a publication', async () => {
    const response = await upload(imageForm(await pngOf(1000, 1400, '#8B1E3F')))
    const address = await response.json()
    expect(address).toMatch(/^\/images\/[\w-]{32}-960x1344-640\.jpg$/)
    const shown = await fetch(images + address)
    expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 896 })
    const changed = await callApi(fixture, 'POST', `/publication/image/${fixture.mine.publicationId}`, {
      token: fixture.tokens.pubadmin,
      body: imageForm(await pngOf(500, 700)),
    })
    const cover = await changed.json()
    const list = await callApi(fixture, 'GET', `/publication/${fixture.mine.publisherId}`, {
      token: fixture.tokens.publisher,
    })
    expect(await list.json()).toMatchObject([{ thumbImageName: cover }])
  })

  it.each([
    ['a text named .png', Buffer.from('no picture'), imageProblems.wrongType],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), imageProblems.wrongType],
    ['an empty file', Buffer.alloc(0), imageProblems.missing],
    ['5 MB and a byte', Buffer.alloc(5 * 1024 * 1024 + 1), imageProblems.tooLarge],
  ])('%s is refused under its field', async (_, bytes, message) => {
    const response = await upload(imageForm(bytes))
    expect([response.status, await response.json()]).toEqual([422, { image: { message } }])
  })

  it('requires a file, not a text, and stores nothing else', async () => {
    const form = new FormData()
    form.append('image', 'a text')
    form.append('kind', 'logo')
    form.append('publisherId', String(fixture.theirs.publisherId))
    const response = await upload(form)
    expect([response.status, await response.json()]).toEqual([422, { image: { message: 'Choose an image' } }])
  })

  it.each([
    ['JSON', { image: 'x' }, undefined],
    ['no boundary', 'x', { 'content-type': 'multipart/form-data' }],
    ['a body that ends too soon', '--x\r\nContent-Dis', { 'content-type': 'multipart/form-data; boundary=x' }],
  ])('%s is refused as a malformed request', async (_, body, headers) => {
    const response = await upload(body, headers)
    expect([response.status, await response.json()]).toEqual([
      400,
      { message: expect.stringContaining('multipart/form-data') },
    ])
  })

  it('is cut off at the limit, with and without a declared length', async () => {
    const declared = await upload(imageForm(Buffer.alloc(6 * 1024 * 1024)))
    expect([declared.status, await declared.json()]).toEqual([413, { message: imageProblems.tooLarge }])
    expect(await sendInPieces(12)).toEqual({ status: 413, text: JSON.stringify({ message: imageProblems.tooLarge }) })
    expect((await sendInPieces(1)).status).toBe(422)
  })
})

describe('GET /images', () => {
  it('serves a picture with a long cache time, sandboxed, to everybody, and nothing else', async () => {
    const address = await (await upload(imageForm(await pngOf(300, 300)))).json()
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(images + address, { method })
      expect([response.status, Object.fromEntries(response.headers)]).toEqual([
        200,
        expect.objectContaining({
          'content-type': 'image/jpeg',
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'cross-origin',
          'content-length': expect.stringMatching(/^\d+$/),
        }),
      ])
      await response.arrayBuffer()
    }
    const otherNames = [
      'app-secret',
      '..%2fapp-secret',
      '%2e%2e%2fapp-secret',
      '..',
      `${'x'.repeat(32)}-64.webp`,
      '%00',
    ]
    for (const name of otherNames) {
      const response = await fetch(`${images}/images/${name}`)
      expect([name, response.status, response.headers.get('cache-control')?.includes('immutable') ?? false]).toEqual([
        name,
        404,
        false,
      ])
    }
  })
})

describe('GET /images with the pictures in an S3 bucket', () => {
  let s3: S3Server
  let services: TestServices
  let url: string
  let address: string
  beforeAll(async () => {
    s3 = await startS3Server('magazines', 'AKIATEST')
    services = await openTestServices({
      STORAGE_URL: `s3://magazines/live?endpoint=${s3.url}`,
      AWS_ACCESS_KEY_ID: 'AKIATEST',
      AWS_SECRET_ACCESS_KEY: 'secret',
    })
    url = await serveImages(services)
    const { name } = await services.images.save(
      await pngOf(900, 900),
      { widths: [640], isSquare: false, fallback: null },
      'image',
    )
    address = `${url}/images/${name}-640.webp`
  })
  afterAll(() => s3.stop())

  it('serves them from the bucket, with the same headers', async () => {
    const response = await fetch(address)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(Buffer.from(await response.arrayBuffer())).toEqual([...s3.objects.values()][0]?.content)
    expect((await fetch(`${url}/images/${'x'.repeat(32)}-640.webp`)).status).toBe(404)
  })

  it.each(['broken', 'silent'] as const)(
    'returns 503 in time when the bucket is %s, and the response is not cached',
    async (mode) => {
      s3.mode = mode
      const response = await fetch(address)
      expect([response.status, response.headers.get('cache-control'), await response.text()]).toEqual([
        503,
        'no-store',
        'The image store is not responding. Please try again in a moment.',
      ])
      s3.mode = 'well'
      expect((await fetch(address)).status).toBe(200)
    },
  )

  it('closes the connection when a picture is cut off, rather than send half a picture as if it were whole', async () => {
    s3.mode = 'cut'
    await expect(fetch(address).then((response) => response.arrayBuffer())).rejects.toThrow()
    s3.mode = 'well'
  })
})
