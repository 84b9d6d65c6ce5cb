import { describe, expect, it } from 'vitest'
import { imageFiles, imageFilesOf, imageNameIn, imageShapes, isImageFile } from './image.rules.ts'

const random = 'abcdefghijklmnopqrstuvwxyz_-0123'
const wide = `${random}-960x1280`
const small = `${random}-200x50`

describe('the address of a picture', () => {
  it('of an uploaded one lists every width, a fallback format, and its size', () => {
    expect(imageFilesOf(wide, 'cover')).toEqual({
      src: `/images/${wide}-640.jpg`,
      srcSet: [160, 320, 640, 960].map((width) => `/images/${wide}-${width}.webp ${width}w`).join(', '),
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

  it("of the demo's images is below /media", () => {
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
    for (const name of [wide, small]) {
      for (const kind of ['cover', 'logo'] as const) {
        const { src, srcSet = '' } = imageFilesOf(name, kind) ?? { src: '' }
        const linked = [...srcSet.split(', ').map((entry) => entry.split(' ')[0]), src]
        expect(imageFiles(name, imageShapes[kind]).map((file) => `/images/${file}`)).toEqual(linked)
        expect(imageFiles(name, imageShapes[kind]).every(isImageFile)).toBe(true)
      }
    }
  })

  it.each([
    [wide, wide],
    [`/images/${wide}-640.jpg`, wide],
    [`https://subscriptions.example.com/images/${wide}-160.webp`, wide],
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
    `../${wide}-160.webp`,
    `${wide}-160.svg`,
    `${wide}-160.webp/x`,
    'app-secret',
    `${wide}-160.webp.tmp`,
  ])('%j is not an image file', (file) => {
    expect(isImageFile(file)).toBe(false)
  })
})
