import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { avatarShape, imageFiles, imageProblems, imageShapes } from '#core/images/image.rules.ts'
import type { ImageStore } from '#core/ports/image-store.ts'
import { pngOf } from '#tests/support/pictures.ts'
import { type S3Server, startS3Server } from '#tests/support/s3-server.ts'
import { readStorageUrl } from '../storage-url.ts'
import { folderFiles } from './folder-files.ts'
import { makeImageStore } from './image-store.ts'
import { s3Files } from './s3-files.ts'

const keys = { AWS_ACCESS_KEY_ID: 'AKIATESTTESTTEST', AWS_SECRET_ACCESS_KEY: 'a-secret-that-nobody-reads' }
const dataDir = mkdtempSync(join(tmpdir(), 'masthead-images-'))
let s3: S3Server
let stores: Record<'folder' | 's3', ImageStore>
beforeAll(async () => {
  s3 = await startS3Server('magazines', keys.AWS_ACCESS_KEY_ID)
  const storage = readStorageUrl(`s3://magazines/test?endpoint=${s3.url}`, keys)
  stores = {
    folder: makeImageStore(folderFiles(dataDir)),
    s3: makeImageStore(s3Files(storage, { connect: 300, response: 600, idle: 600 })),
  }
})
beforeEach(() => {
  s3.mode = 'well'
})
afterAll(async () => {
  await s3.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function read(store: ImageStore, file: string): Promise<Buffer | null> {
  const found = await store.open(file)
  if (!found) return null
  const pieces: Uint8Array[] = []
  for await (const piece of found.content) pieces.push(piece)
  return Buffer.concat(pieces)
}

const storedFiles = () => [...readdirSync(join(dataDir, 'images')), ...s3.objects.keys()]

describe.each(['folder', 's3'] as const)('pictures in a %s', (place) => {
  it('are stored in every width, read and deleted', async () => {
    const store = stores[place]
    const saved = await store.save(await pngOf(1200, 1600), imageShapes.cover, 'image')
    expect(saved).toMatchObject({ width: 960, height: 1280 })
    const files = imageFiles(saved.name, imageShapes.cover)
    const sizes = []
    let bytes = 0
    for (const file of files) {
      const content = (await read(store, file)) ?? Buffer.alloc(0)
      bytes += content.length
      const { format, width, height } = await sharp(content).metadata()
      sizes.push([format, width, height])
    }
    expect(sizes).toEqual([
      ['webp', 160, 213],
      ['webp', 320, 427],
      ['webp', 640, 853],
      ['webp', 960, 1280],
      ['jpeg', 640, 853],
    ])
    expect(saved.bytes).toBe(bytes)
    await store.remove(saved.name, imageShapes.cover)
    for (const file of files) expect(await store.open(file)).toBeNull()
    await store.remove(saved.name, imageShapes.cover)
  })

  it('are not found under any other name', async () => {
    for (const file of ['', '..', '../app-secret', 'app-secret', `${'a'.repeat(32)}-160.webp`])
      expect(await stores[place].open(file)).toBeNull()
  })

  it('leave nothing behind when they are refused', async () => {
    const before = storedFiles()
    await expect(stores[place].save(Buffer.from('no picture'), imageShapes.logo, 'image')).rejects.toMatchObject({
      kind: 'invalid',
    })
    expect(storedFiles()).toEqual(before)
  })
})

describe('a bucket', () => {
  const file = `${'b'.repeat(32)}-100x100-100.webp`

  it('gets signed requests under its prefix, with type and lifetime', async () => {
    s3.objects.clear()
    const { name } = await stores.s3.save(await pngOf(100, 100), imageShapes.logo, 'image')
    expect([...s3.objects].map(([key, { type }]) => [key, type])).toEqual([
      [`test/${name}-100.webp`, 'image/webp'],
      [`test/${name}-100.png`, 'image/png'],
    ])
  })

  it.each(['silent', 'broken'] as const)(
    'that is %s is reported within the timeouts, and nothing is stored',
    async (mode) => {
      s3.objects.clear()
      s3.mode = mode
      for (const request of [
        () => stores.s3.open(file),
        () => stores.s3.remove('b'.repeat(32), imageShapes.logo),
        async () => stores.s3.save(await pngOf(100, 100), imageShapes.logo, 'image'),
      ]) {
        const error = await request().then(
          () => null,
          (thrown: unknown) => thrown,
        )
        expect(error).toMatchObject({
          kind: 'unavailable',
          message: expect.stringMatching(/^The image store is not responding/),
        })
        expect(JSON.stringify(error)).not.toMatch(/AKIA|a-secret|Signature/)
      }
      expect(s3.objects.size).toBe(0)
    },
  )

  it('that refuses the keys or is down is not reported as a missing picture', async () => {
    for (const [bucket, key] of [
      ['magazines', 'AKIASOMEBODYELSE'],
      ['nobodys', keys.AWS_ACCESS_KEY_ID],
    ]) {
      const storage = readStorageUrl(`s3://${bucket}?endpoint=${s3.url}`, { ...keys, AWS_ACCESS_KEY_ID: key })
      await expect(makeImageStore(s3Files(storage)).open(file)).rejects.toMatchObject({ kind: 'unavailable' })
    }
  })

  it('that disconnects in the middle of a file fails the reader’s stream', async () => {
    const { name } = await stores.s3.save(await pngOf(600, 600), imageShapes.logo, 'image')
    s3.mode = 'cut'
    await expect(read(stores.s3, `${name}-600.webp`)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })
})

describe('a stored picture', () => {
  const store = () => stores.folder
  const webp = async (name: string, width: number) => (await read(store(), `${name}-${width}.webp`)) ?? Buffer.alloc(0)
  const pixel = async (content: Buffer, left: number, top: number) => [
    ...(await sharp(content).ensureAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
  ]
  const isNear = (actual: number[], expected: number[]) =>
    actual.every((value, index) => Math.abs(value - (expected[index] ?? 0)) < 16)

  it('is upright, without its location data', async () => {
    // Left half red, right half blue; rotated by its orientation tag so that its left side is its top.
    const photo = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#FF0000' } })
      .composite([{ input: await pngOf(200, 200, '#0000FF'), left: 200, top: 0 }])
      .jpeg()
      .withExif({ IFD0: { Orientation: '6', Copyright: 'Somebody' }, IFD3: { GPSLatitude: '50/1 9/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { name, width, height } = await store().save(photo, imageShapes.cover, 'image')
    expect([width, height]).toEqual([200, 400])
    const content = await webp(name, 200)
    expect(await sharp(content).metadata()).not.toHaveProperty('exif')
    expect(isNear(await pixel(content, 100, 50), [255, 0, 0, 255])).toBe(true)
    expect(isNear(await pixel(content, 100, 350), [0, 0, 255, 255])).toBe(true)
  })

  it('keeps a logo’s transparency, in its fallback too, and has a white background on a cover', async () => {
    const logo = await sharp({ create: { width: 300, height: 100, channels: 4, background: '#00000000' } })
      .composite([{ input: await pngOf(100, 100, '#00805D'), left: 0, top: 0 }])
      .png()
      .toBuffer()
    const { name } = await store().save(logo, imageShapes.logo, 'image')
    const png = (await read(store(), `${name}-300.png`)) ?? Buffer.alloc(0)
    for (const content of [png, await webp(name, 300)]) {
      expect(isNear(await pixel(content, 50, 50), [0, 128, 93, 255])).toBe(true)
      expect((await pixel(content, 250, 50))[3]).toBe(0)
    }
    const cover = await store().save(logo, imageShapes.cover, 'image')
    const jpeg = (await read(store(), `${cover.name}-300.jpg`)) ?? Buffer.alloc(0)
    expect(isNear(await pixel(jpeg, 250, 50), [255, 255, 255, 255])).toBe(true)
  })

  it('is converted from CMYK to screen colours', async () => {
    const cmyk = await sharp(await pngOf(200, 200, '#C01818'))
      .toColourspace('cmyk')
      .jpeg({ quality: 95 })
      .toBuffer()
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk')
    const { name } = await store().save(cmyk, imageShapes.cover, 'image')
    const content = await webp(name, 200)
    expect((await sharp(content).metadata()).space).toBe('srgb')
    const [red = 0, green = 255, blue = 255] = await pixel(content, 100, 100)
    expect(red > 140 && green < 90 && blue < 90).toBe(true)
  })

  it.each(['webp', 'gif'] as const)('is the first frame of an animated %s, however many there are', async (format) => {
    const frames = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        pngOf(64, 64, index === 0 ? '#FF0000' : index % 2 ? '#00FF00' : '#0000FF'),
      ),
    )
    const animation = await sharp(frames, { join: { animated: true } })
      [format]()
      .toBuffer()
    expect((await sharp(animation, { pages: -1 }).metadata()).pages).toBe(60)
    const { name, width, height } = await store().save(animation, imageShapes.cover, 'image')
    expect([width, height]).toEqual([64, 64])
    const content = await webp(name, 64)
    expect((await sharp(content).metadata()).pages ?? 1).toBe(1)
    expect(isNear(await pixel(content, 32, 32), [255, 0, 0, 255])).toBe(true)
  })

  it('is no larger than the original, and no taller than a page allows', async () => {
    const { name } = await store().save(await pngOf(90, 40), imageShapes.logo, 'image')
    expect(imageFiles(name, imageShapes.logo)).toEqual([`${name}-90.webp`, `${name}-90.png`])
    expect(await store().save(await pngOf(400, 4000), imageShapes.logo, 'image')).toMatchObject({
      width: 128,
      height: 1280,
    })
  })

  it('is square for a user', async () => {
    const { name } = await store().save(await pngOf(80, 300), avatarShape, 'picture')
    for (const width of avatarShape.widths)
      expect(await sharp(await webp(name, width)).metadata()).toMatchObject({ width, height: width })
  })

  it('contains no data hidden behind the pixels', async () => {
    const bytes = Buffer.concat([await pngOf(50, 50), Buffer.from('<script>alert(1)</script>')])
    const { name } = await store().save(bytes, imageShapes.logo, 'image')
    for (const file of imageFiles(name, imageShapes.logo))
      expect(String(await read(store(), file))).not.toContain('script')
  })
})

/** A GIF that declares this size and contains the data of one pixel. */
function hollowGif(width: number, height: number): Buffer {
  const screen = Buffer.alloc(13)
  screen.write('GIF89a', 'latin1')
  screen.writeUInt16LE(width, 6)
  screen.writeUInt16LE(height, 8)
  screen[10] = 0x80
  const frame = Buffer.alloc(10)
  frame[0] = 0x2c
  frame.writeUInt16LE(width, 5)
  frame.writeUInt16LE(height, 7)
  return Buffer.concat([screen, Buffer.from([0, 0, 0, 255, 255, 255]), frame, Buffer.from([2, 2, 0x44, 1, 0, 0x3b])])
}

describe('a picture that cannot be used', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const cases: [what: string, bytes: () => Buffer | Promise<Buffer>, problem: keyof typeof imageProblems][] = [
    ['nothing', () => Buffer.alloc(0), 'missing'],
    ['a text', () => Buffer.from('I am a picture, honestly.'), 'wrongType'],
    ['an SVG with a script', () => Buffer.from(svg), 'wrongType'],
    ['an SVG behind an XML head', () => Buffer.from(`<?xml version="1.0"?>${svg}`), 'wrongType'],
    ['a web page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 'wrongType'],
    ['a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'), 'wrongType'],
    [
      'a TIFF',
      async () =>
        sharp(await pngOf(50, 50))
          .tiff()
          .toBuffer(),
      'wrongType',
    ],
    ['a picture of 40 megapixels', () => pngOf(8000, 5000), 'tooManyPixels'],
    ['a GIF with a huge canvas', () => hollowGif(65_535, 65_535), 'tooManyPixels'],
    ['a dot', () => pngOf(1, 1), 'tooFewPixels'],
    ['a thin line', () => pngOf(2000, 3), 'tooFewPixels'],
    ['a file over 5 MB', () => Buffer.alloc(5 * 1024 * 1024 + 1, 0xff), 'tooLarge'],
    ['the head of a PNG', async () => (await pngOf(50, 50)).subarray(0, 40), 'damaged'],
  ]
  it.each(cases)('%s is refused with a message', async (_, bytes, problem) => {
    const error = await stores.folder.save(await bytes(), imageShapes.cover, 'coverImage').then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ kind: 'invalid', fields: { coverImage: imageProblems[problem] } })
  })

  it('a truncated JPEG is refused', async () => {
    const noise = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, index) => (index * 7919) % 251))
    const whole = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
      .jpeg()
      .toBuffer()
    await stores.folder.save(whole, imageShapes.cover, 'image')
    const truncated = whole.subarray(0, Math.floor(whole.length * 0.6))
    await expect(stores.folder.save(truncated, imageShapes.cover, 'image')).rejects.toMatchObject({
      fields: { image: imageProblems.damaged },
    })
  })
})
