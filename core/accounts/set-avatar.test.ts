import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { avatarShape, imageFile, isImageFile } from '../images/image.rules.ts'
import { staffActor } from '../users/staff-actor.ts'
import { setAvatar } from './set-avatar.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const folder = () => join(services.dataDir, 'images')
const storedFiles = async () => (await readdir(folder()).catch(() => [])).sort()
const asNewUser = async () => services.as(staffActor(await makeUser(services, { userType: 'mailer' })))

/** A picture that is red on the left and blue on the right. */
const picture = (width = 400, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: 'blue' } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: 'red' } }, left: 0, top: 0 },
  ])

describe('a picture', () => {
  it('is re-encoded as square WebP without metadata, and replaces the previous one', async () => {
    const ctx = await asNewUser()
    const jpeg = await picture()
      .withExif({ IFD0: { Copyright: 'Camera of Ann' }, IFD3: { GPSLatitude: '50/1 9/1 0/1' } })
      .jpeg()
      .toBuffer()
    expect(jpeg.includes('Camera of Ann')).toBe(true)
    const { avatarFile } = await setAvatar(ctx, { picture: jpeg })
    const name = avatarFile ?? ''
    expect(await storedFiles()).toEqual([imageFile(name, 256), imageFile(name, 64)].sort())
    for (const width of [64, 256]) {
      const file = join(folder(), imageFile(name, width))
      expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width, height: width })
      expect((await sharp(file).metadata()).exif).toBeUndefined()
    }
    const second = await setAvatar(ctx, { picture: await picture().png().toBuffer() })
    expect(second.avatarFile).not.toBe(name)
    expect(await storedFiles()).toHaveLength(2)
    await setAvatar(ctx, { picture: null })
    expect(await storedFiles()).toEqual([])
    const audit = await services.db.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE action IN ('set-avatar', 'remove-avatar') ORDER BY id`,
    )
    expect(audit.map(({ action }) => action)).toEqual(['set-avatar', 'set-avatar', 'remove-avatar'])
  })

  it('is kept even if the previous one cannot be deleted', async () => {
    const ctx = await asNewUser()
    const { avatarFile: previousFile } = await setAvatar(ctx, { picture: await picture().png().toBuffer() })
    const images = { ...ctx.images, remove: () => Promise.reject(new Error('The bucket answers 503')) }
    const { avatarFile } = await setAvatar({ ...ctx, images }, { picture: await picture().jpeg().toBuffer() })
    expect(avatarFile).not.toBe(previousFile)
    expect(await storedFiles()).toContain(imageFile(avatarFile ?? '', 256))
    await setAvatar(ctx, { picture: null })
    await ctx.images.remove(previousFile ?? '', avatarShape)
  })

  it('is rotated upright by its EXIF orientation', async () => {
    const ctx = await asNewUser()
    // Orientation 6: rotate by 90° clockwise, so that the red left side becomes the top.
    const turned = await picture(300, 300).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { avatarFile } = await setAvatar(ctx, { picture: turned })
    const { data, info } = await sharp(join(folder(), imageFile(avatarFile ?? '', 64)))
      .raw()
      .toBuffer({ resolveWithObject: true })
    const colourAt = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)]
    expect(colourAt(50, 8)[0]).toBeGreaterThan(200)
    expect(colourAt(50, 56)[2]).toBeGreaterThan(200)
  })

  for (const format of ['png', 'webp', 'gif', 'avif'] as const) {
    it(`may be a ${format.toUpperCase()}`, async () => {
      const { avatarFile } = await setAvatar(await asNewUser(), {
        picture: await picture().toFormat(format).toBuffer(),
      })
      expect(avatarFile).toMatch(/^[\w-]{32}-256x256$/)
    })
  }

  it('is refused when it is not a picture, truncated, too large or a decompression bomb, and leaves no file behind', async () => {
    const ctx = await asNewUser()
    const before = await storedFiles()
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><rect width="9" height="9"/></svg>'
    const jpeg = await picture(900, 600).jpeg().toBuffer()
    const bomb = await sharp({ create: { width: 8000, height: 5000, channels: 3, background: 'white' } })
      .png()
      .toBuffer()
    const refusals: [string, Uint8Array, RegExp][] = [
      ['nothing', new Uint8Array(), /Choose an image/],
      ['a text called .png', Buffer.from('hello, I am a picture'), /not a supported image/],
      ['an SVG', Buffer.from(svg), /not a supported image/],
      ['an SVG with a declaration', Buffer.from(`<?xml version="1.0"?>${svg}`), /not a supported image/],
      ['a TIFF', await picture().tiff().toBuffer(), /not a supported image/],
      ['half a JPEG', jpeg.subarray(0, jpeg.length / 2), /damaged or incomplete/],
      ['a PNG’s first bytes', (await picture().png().toBuffer()).subarray(0, 60), /damaged or incomplete/],
      ['40 megapixels', bomb, /25 million pixels/],
      ['6 MB', Buffer.concat([jpeg, Buffer.alloc(6 * 1024 * 1024)]), /larger than 5 MB/],
    ]
    for (const [what, bytes, message] of refusals) {
      await expect(setAvatar(ctx, { picture: bytes }), what).rejects.toMatchObject({
        kind: 'invalid',
        fields: { picture: expect.stringMatching(message) },
      })
    }
    expect(await storedFiles()).toEqual(before)
  })

  it('is deleted when its user is deleted meanwhile', async () => {
    const before = await storedFiles()
    const ctx = services.as(
      staffActor({ id: 999_999, userType: 'mailer', email: 'gone@example.test', parentPublisherId: 1 }),
    )
    await expect(setAvatar(ctx, { picture: await picture().png().toBuffer() })).rejects.toMatchObject({
      kind: 'unauthenticated',
    })
    expect(await storedFiles()).toEqual(before)
  })

  it('cannot have a path as its name', () => {
    expect(isImageFile(`${'A'.repeat(32)}-64.webp`)).toBe(true)
    for (const name of [
      '../app-secret',
      `${'A'.repeat(32)}-64.svg`,
      `${'A'.repeat(31)}/-64.webp`,
      'a-64.webp',
      '.htaccess',
    ])
      expect(isImageFile(name)).toBe(false)
  })
})
