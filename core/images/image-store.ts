import type { ImageShape } from './image.rules.ts'

/** The port for pictures that people upload. What is kept is always made anew from the pixels: nothing else of the file survives. */
export interface ImageStore {
  /** Makes a picture's files and gives the name they share. Throws `invalid` under `field` for what is no picture, or too large a one. */
  keep(bytes: Uint8Array, shape: ImageShape, field: string): Promise<string>
  /** Takes a picture's files away; it is no mistake when there are none. */
  remove(name: string, shape: ImageShape): Promise<void>
}
