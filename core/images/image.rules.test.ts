import { describe, expect, it } from 'vitest'
import { imageFiles, imageFilesOf, imageNameIn, imageShapes, isImageFile } from './image.rules.ts'

const random = 'abcdefghijklmnopqrstuvwxyz_-0123'
const large = `${random}-960x1280`
const small = `${random}-200x50`

describe('the address of a picture', () => {
  it('lists every width, a fallback format and the size of an uploaded picture', () => {
    expect(imageFilesOf(large, 'cover')).toEqual({
      src: `/images/${large}-640.jpg`,
      srcSet: [160, 320, 640, 960].map((width) => `/images/${large}-${width}.webp ${width}w`).join(', '),
      width: 960,
      height: 1280,
    })
    expect(imageFilesOf(small, 'logo')).toEqual({
      src: `/images/${small}-200.png`,
      srcSet: `/images/${small}-160.webp 160w, /images/${small}-200.webp 200w`,
      width: 200,
      height: 50,
    })
  })

  it("is below /media for the demo's images", () => {
    expect(imageFilesOf('demo/harbour-light-logo.svg', 'logo')).toEqual({
      src: '/media/demo/harbour-light-logo.svg',
      srcSet: undefined,
      width: 500,
      height: 110,
    })
  })

  it.each([
    null,
    undefined,
    '',
    'x.png',
    '../../etc/passwd',
    'demo/../secret.svg',
    'javascript:alert(1)',
    `${random}.webp`,
  ])('is null for %j', (image) => {
    expect(imageFilesOf(image, 'cover')).toBeNull()
  })

  it('uses the names of the stored files', () => {
    for (const name of [large, small]) {
      for (const kind of ['cover', 'logo'] as const) {
        const { src, srcSet = '' } = imageFilesOf(name, kind) ?? { src: '' }
        const linked = [...srcSet.split(', ').map((entry) => entry.split(' ')[0]), src]
        expect(imageFiles(name, imageShapes[kind]).map((file) => `/images/${file}`)).toEqual(linked)
        expect(imageFiles(name, imageShapes[kind]).every(isImageFile)).toBe(true)
      }
    }
  })

  it.each([
    [large, large],
    [`/images/${large}-640.jpg`, large],
    [`https://subscriptions.example.com/images/${large}-160.webp`, large],
    ['/media/demo/harbour-light-cover.svg', 'demo/harbour-light-cover.svg'],
    ['https://elsewhere.example/cover.png', 'https://elsewhere.example/cover.png'],
    ['/images/../secret', '/images/../secret'],
  ])('%s is converted back to its name', (address, name) => {
    expect(imageNameIn(address)).toBe(name)
  })

  it.each([
    '',
    '.',
    '..',
    `../${large}-160.webp`,
    `${large}-160.svg`,
    `${large}-160.webp/x`,
    'app-secret',
    `${large}-160.webp.tmp`,
  ])('%j is not an image file', (file) => {
    expect(isImageFile(file)).toBe(false)
  })
})
