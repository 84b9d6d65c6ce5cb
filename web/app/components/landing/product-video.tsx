import Play from 'lucide-react/icons/play'
import { useState } from 'react'
import { Screen } from '../site/screen.tsx'

/** The installation's product film. It is loaded only after a click; without JavaScript it is a link. */
export function ProductVideo({ source }: { source: string }) {
  const [isPlaying, setPlaying] = useState(false)
  return (
    <section aria-labelledby="film" className="on-dark bg-nav">
      <div className="mx-auto max-w-5xl px-4 py-16 text-center md:px-6 md:py-20">
        <h2 id="film" className="font-serif text-public-h2 text-white md:text-store-h1">
          See a month with Masthead
        </h2>
        <div className="relative mt-8 aspect-[1120/760] overflow-hidden rounded-dialog border border-nav-current bg-nav-current">
          {isPlaying ? (
            // biome-ignore lint/a11y/useMediaCaption: the operator's film contains its own captions
            <video
              ref={(video) => video?.focus()}
              src={source}
              controls
              autoPlay
              playsInline
              className="h-full w-full"
            />
          ) : (
            <a
              href={source}
              onClick={(event) => {
                event.preventDefault()
                setPlaying(true)
              }}
              className="group block h-full"
            >
              <Screen
                screenshot="dashboard"
                alt=""
                sizes="(min-width: 1024px) 980px, 94vw"
                className="w-full opacity-60"
              />
              <span className="absolute inset-0 m-auto flex h-14 w-fit items-center gap-3 rounded-full bg-white px-6 text-input font-semibold text-ink group-hover:bg-tint-sea">
                <Play size={20} aria-hidden="true" className="fill-current" />
                Play the film
              </span>
            </a>
          )}
        </div>
      </div>
    </section>
  )
}
