import type { MetaDescriptor } from '@remix-run/node'
import type { IssueOffer } from '#core/back-issues/issue-offer.rules.ts'
import { imageFilesOf } from '#core/images/image.rules.ts'
import type { Currency } from '#core/kernel/money.ts'
import { issueListData } from '#core/storefronts/structured-data.rules.ts'
import { type DescribedPage, type MetaArgs, type ShopPage, shopMeta } from './shop-meta.ts'

interface IssueShopPage extends DescribedPage {
  offer: { country: string; currency: Currency; issues: IssueOffer[] }
}

/** Head and structured data of the back-issue shop: the issues, their prices and stock. */
export function issueShopMeta(args: MetaArgs<IssueShopPage | Exclude<ShopPage, DescribedPage>>): MetaDescriptor[] {
  return shopMeta(args, ({ shop, origin, offer }: IssueShopPage, t) => {
    const { publicationName: title, publisher, urlKey, accepts, hasIssues } = shop
    const imageOf = (cover: string | null) => {
      const picture = imageFilesOf(cover, 'cover')
      return picture && `${origin}${picture.src}`
    }
    return {
      title: t('Individual issues of {title}', { title }),
      description: t('Individual back issues of {title}, sent to you by post.', { title }),
      path: '/issues',
      type: 'website',
      isListed: hasIssues,
      data: issueListData(
        {
          publicationName: title,
          publicationInfo: '',
          publisherName: publisher.companyName,
          address: `${origin}/${urlKey}/issues`,
          image: null,
          country: offer.country,
          canPay: accepts.length > 0,
        },
        offer.currency,
        offer.issues.map((issue) => ({ ...issue, image: imageOf(issue.coverImage) })),
      ),
    }
  })
}
