import { Link } from '@remix-run/react'
import { Picture } from '../ui/picture.tsx'

interface TitleCoversProps {
  titles: readonly { urlKey: string; publicationName: string; coverImage: string | null }[]
}

/** The storefronts of this installation, as covers: for visitors who want to see examples or to subscribe. */
export function TitleCovers({ titles }: TitleCoversProps) {
  if (titles.length === 0) return null
  return (
    <section aria-labelledby="titles" className="border-t border-line bg-canvas">
      <div className="mx-auto max-w-6xl px-4 pt-12 pb-14 md:px-6">
        <h2 id="titles" className="text-center font-serif text-h3 text-ink-2">
          Titles on sale here
        </h2>
        <ul className="mt-8 flex flex-wrap justify-center gap-y-10">
          {titles.map(({ urlKey, publicationName, coverImage }) => (
            <li key={urlKey} className="group w-1/3 text-center sm:w-52">
              <Link
                to={`/${urlKey}`}
                reloadDocument
                className="block text-body font-medium text-ink no-underline hover:underline"
              >
                <span className="flex h-36 items-end justify-center border-b-4 border-nav px-1.5 sm:h-52">
                  {coverImage ? (
                    <Picture
                      image={coverImage}
                      kind="cover"
                      alt=""
                      sizes="144px"
                      isLazy
                      className="max-h-full w-auto max-w-full object-contain object-bottom shadow-float transition-transform duration-150 group-hover:-translate-y-1"
                    />
                  ) : (
                    <span className="flex h-32 w-24 items-center justify-center bg-subtle font-serif text-store-h1 text-muted">
                      {publicationName.slice(0, 1)}
                    </span>
                  )}
                </span>
                <span className="mt-3 block px-1">{publicationName}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
