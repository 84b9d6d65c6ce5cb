/** How a kind of picture is kept: its widths in pixels, and whether it is cut to a square. */
export interface ImageShape {
  widths: readonly number[]
  isSquare: boolean
}

/** What people send may be this large; what is kept is far smaller. */
export const imageLimits = { bytes: 5 * 1024 * 1024, pixels: 25_000_000 }

/** A user's picture: in the top bar and on cards, and large on its own page. */
export const avatarShape = { widths: [64, 256], isSquare: true } as const satisfies ImageShape

/** The files a browser offers to choose from. */
export const imageTypes = 'image/jpeg,image/png,image/webp,image/gif,image/avif'

/** The address of a kept picture in one of its widths. */
export function imageAddress<Shape extends ImageShape>(
  name: string,
  _shape: Shape,
  width: Shape['widths'][number],
): string {
  return `/images/${imageFile(name, width)}`
}

export function imageFile(name: string, width: number): string {
  return `${name}-${width}.webp`
}

/** Whether a text is the name of a kept picture's file and nothing else: no folder, no dots, no other kind. */
export function isImageFile(text: string): boolean {
  return /^[\w-]{32}-\d{2,4}\.webp$/.test(text)
}
