import type { ImageShape, ImageSize } from '../ports/image-store.ts'

/** The limits of uploaded pictures; stored ones are far smaller. */
export const imageLimits = { bytes: 5 * 1024 * 1024, pixels: 25_000_000, minSide: 16 }

/** A user's picture: in the top bar and on cards, and large on its own page. */
export const avatarShape = { widths: [64, 256], isSquare: true, fallback: null } as const satisfies ImageShape

/** The pictures a publisher uploads. Transparency of a logo is kept; a cover is a photograph. */
export const imageKinds = ['cover', 'logo'] as const
export type ImageKind = (typeof imageKinds)[number]
export const imageShapes = {
  cover: { widths: [160, 320, 640, 960], isSquare: false, fallback: { type: 'jpg', width: 640 } },
  logo: { widths: [160, 320, 640], isSquare: false, fallback: { type: 'png', width: 320 } },
} as const satisfies Record<ImageKind, ImageShape>

/** The file types that a browser offers and that are accepted, by their bytes. An SVG can contain scripts and is not among them. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']

/** The messages about a picture that is refused, in the browser and from the server. */
export const imageProblems = {
  missing: 'Choose an image',
  tooLarge: 'The image is larger than 5 MB. Choose a smaller one.',
  wrongType: 'This is not a supported image. Choose a JPEG, PNG, WebP, GIF or AVIF file.',
  tooManyPixels: 'The image has more than 25 million pixels. Choose a smaller one.',
  tooFewPixels: 'The image is too small. Choose one of at least 16 × 16 pixels.',
  damaged: 'The image is damaged or incomplete. Open it on your computer, save it again and try once more.',
}

/** The address of a stored square picture in one of its widths. */
export function imageAddress<Shape extends ImageShape>(
  name: string,
  _shape: Shape,
  width: Shape['widths'][number],
): string {
  return `/images/${imageFile(name, width)}`
}

export function imageFile(name: string, width: number, type: 'webp' | 'jpg' | 'png' = 'webp'): string {
  return `${name}-${width}.${type}`
}

/** The name of a stored picture contains the size of its largest file, so that every file of it is known without a lookup. */
export function imageName(random: string, { width, height }: ImageSize): string {
  return `${random}-${width}x${height}`
}

const storedName = /^[\w-]{32}(?:-([1-9]\d{0,3})x([1-9]\d{0,3}))?$/
const storedFileName = /^([\w-]{32}(?:-\d{1,4}x\d{1,4})?)-\d{1,4}\.(webp|jpg|png)$/

/** Whether a text is the name of a stored picture's file and nothing else: no folder, no dots, no other kind. */
export function isImageFile(text: string): boolean {
  return storedFileName.test(text)
}

/** The size of a stored picture's largest file; null for a name that does not contain it. */
function sizeIn(name: string): ImageSize | null {
  const [, width, height] = storedName.exec(name) ?? []
  return width && height ? { width: Number(width), height: Number(height) } : null
}

/** The widths a picture of this size is stored in: none is larger than the picture itself. */
export function storedWidths({ widths, isSquare }: ImageShape, { width }: ImageSize): number[] {
  return isSquare ? [...widths] : [...widths.filter((candidate) => candidate < width), width]
}

/** Every file of a stored picture. */
export function imageFiles(name: string, shape: ImageShape): string[] {
  const size = sizeIn(name)
  const widths = size ? storedWidths(shape, size) : [...shape.widths]
  const fallback = size && fallbackFile(name, shape, size)
  return [...widths.map((width) => imageFile(name, width)), ...(fallback ? [fallback] : [])]
}

function fallbackFile(name: string, { fallback }: ImageShape, size: ImageSize): string | null {
  return fallback && imageFile(name, Math.min(fallback.width, size.width), fallback.type)
}

/** All that an `<img>` needs to show a picture in the right width and to reserve its space while it loads. */
export interface ImageFiles extends ImageSize {
  /** A file that every program can show: for emails, other sites and the API. */
  src: string
  srcSet: string | undefined
}

/** The demo's own drawings, served from /media. */
const demoDrawing = /^demo\/[\w-]+\.svg$/
const demoDrawingSizes: Record<ImageKind, ImageSize> = {
  cover: { width: 900, height: 1200 },
  logo: { width: 500, height: 110 },
}

/** The addresses of a stored picture, whether uploaded or of the demo; null if there is none. */
export function imageFilesOf(image: string | null | undefined, kind: ImageKind): ImageFiles | null {
  if (!image) return null
  if (demoDrawing.test(image)) return { src: `/media/${image}`, srcSet: undefined, ...demoDrawingSizes[kind] }
  const size = sizeIn(image)
  if (!size) return null
  const shape = imageShapes[kind]
  const srcSet = storedWidths(shape, size)
    .map((width) => `/images/${imageFile(image, width)} ${width}w`)
    .join(', ')
  return { src: `/images/${fallbackFile(image, shape, size)}`, srcSet, ...size }
}

/** A picture's name in a caller's input: the name itself, or the address that was returned for it. */
export function imageNameIn(text: string): string {
  const path = text.replace(/^https?:\/\/[^/?#]+(?=\/)/i, '')
  if (path.startsWith('/media/')) return path.slice('/media/'.length)
  if (path.startsWith('/images/')) return storedFileName.exec(path.slice('/images/'.length))?.[1] ?? text
  return text
}
