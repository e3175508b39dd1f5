import { stat } from 'node:fs/promises'
import type { Images } from '../../e2e/installation/images.ts'
import type { Figure } from './figure.ts'

/** Sizes of the uncompressed archives. The two servers' images share all but a few of theirs. */
export async function imageFigures(images: Images): Promise<Figure[]> {
  const named = [
    ['runner', images.runner],
    ['api-server', images.apiServer],
    ['operator', images.operator],
  ] as const
  return Promise.all(
    named.map(async ([name, { archive }]): Promise<Figure> => {
      const { size } = await stat(archive)
      return { name: `image.${name}`, value: size / 1_048_576, unit: 'MB' }
    }),
  )
}
