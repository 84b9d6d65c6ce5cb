import { type Screenshot, screenshots } from '../../images/screenshots.ts'

interface ScreenProps {
  screenshot: Screenshot
  /** The alternative text; empty where the text next to it says the same. */
  alt: string
  /** The displayed width, for the browser to choose a file by. */
  sizes?: string
  /** Whether it is above the fold: then it is loaded eagerly. */
  isFirst?: boolean
  className?: string
}

/** A screenshot of the product with its width and height, so that the layout does not shift when it loads. */
export function Screen({ screenshot, alt, sizes, isFirst = false, className = '' }: ScreenProps) {
  const { src, small, width, height } = screenshots[screenshot]
  return (
    <img
      src={src}
      {...(small ? { srcSet: `${small} ${width}w, ${src} ${2 * width}w`, sizes } : {})}
      width={width}
      height={height}
      alt={alt}
      {...(isFirst ? { fetchpriority: 'high' } : { loading: 'lazy', decoding: 'async' })}
      className={`block h-auto ${className}`}
    />
  )
}
