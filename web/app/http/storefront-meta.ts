import type { MetaDescriptor } from '@remix-run/node'
import { imageFilesOf } from '#core/images/image.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { productData } from '#core/storefronts/structured-data.rules.ts'
import { type DescribedPage, type MetaArgs, type ShopPage, shopMeta } from './shop-meta.ts'

interface StorefrontPage extends DescribedPage {
  country: string
  plans: PlanOption[]
}

/** Head and structured data of a storefront: a product with its price in the country shown. */
export function storefrontMeta(args: MetaArgs<StorefrontPage | Exclude<ShopPage, DescribedPage>>): MetaDescriptor[] {
  return shopMeta(args, ({ shop, origin, country, plans }: StorefrontPage, t) => {
    const cover = imageFilesOf(shop.coverImage, 'cover')
    const { publicationName, publicationInfo, publisher, urlKey, accepts } = shop
    return {
      title: t('Subscribe to {title}', { title: publicationName }),
      description: publicationInfo,
      path: '',
      type: 'product',
      isListed: true,
      data: productData(
        {
          publicationName,
          publicationInfo,
          publisherName: publisher.companyName,
          address: `${origin}/${urlKey}`,
          image: cover && `${origin}${cover.src}`,
          country,
          canPay: accepts.length > 0,
        },
        plans,
      ),
    }
  })
}
