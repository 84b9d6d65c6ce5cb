import { type ImageKind, imageFilesOf } from '#core/images/image.rules.ts'

interface PictureProps {
  /** The stored file name. */
  image: string | null
  kind: ImageKind
  /** Empty where the text next to it says the same. */
  alt: string
  /** The displayed width, for the browser to choose a file by. */
  sizes: string
  /** Must set the width or the height; the other is `auto`, so that the layout does not shift when the picture loads. */
  className: string
  isLazy?: boolean
}

/** A stored cover or logo; nothing if there is none. */
export function Picture({ image, kind, alt, sizes, className, isLazy = false }: PictureProps) {
  const picture = imageFilesOf(image, kind)
  if (!picture) return null
  return (
    <img
      src={picture.src}
      srcSet={picture.srcSet}
      sizes={picture.srcSet && sizes}
      width={picture.width}
      height={picture.height}
      alt={alt}
      loading={isLazy ? 'lazy' : undefined}
      className={className}
    />
  )
}
