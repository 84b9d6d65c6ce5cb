import { type Shot, shots } from '../../images/shots.ts'

interface ScreenProps {
  shot: Shot
  /** What is seen on it; empty where the words beside it say the same. */
  alt: string
  /** How wide it is shown, for the browser to choose a file by. */
  sizes?: string
  /** It is seen at once. */
  isFirst?: boolean
  className?: string
}

/** A picture of the product's own screens, in the size it has, so that nothing moves when it comes. */
export function Screen({ shot, alt, sizes, isFirst = false, className = '' }: ScreenProps) {
  const { src, small, width, height } = shots[shot]
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
