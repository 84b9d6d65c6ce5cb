/** How a kind of picture is stored: its widths in pixels, whether it is cropped to a square, and the fallback file for programs without WebP. */
export interface ImageShape {
  widths: readonly number[]
  isSquare: boolean
  fallback: { type: 'jpg' | 'png'; width: number } | null
}

export interface ImageSize {
  width: number
  height: number
}

/** A stored picture: the name its files share, the dimensions of the largest, and their total size in bytes. */
interface StoredImage extends ImageSize {
  name: string
  bytes: number
}

/** A file of a stored picture, to be sent. */
export interface ImageContent {
  content: AsyncIterable<Uint8Array>
  bytes: number | undefined
}

/** The port for pictures that people upload. What is stored is always re-encoded from the pixels: no other data of the file is kept. */
export interface ImageStore {
  /** Creates a picture’s files. Throws `invalid` under `field` for something that is not a picture, or too large. */
  save(bytes: Uint8Array, shape: ImageShape, field: string): Promise<StoredImage>
  /** One file, to be sent; null if there is none. Throws `unavailable` if the store does not respond. */
  open(file: string): Promise<ImageContent | null>
  /** Deletes a picture's files; it is not an error if there are none. */
  remove(name: string, shape: ImageShape): Promise<void>
}
