import type { StepPlan } from '../model/plan.ts'
import { stepFilters } from '../steps/step-filters.ts'

/** Folders of fonts in the runner image, below /usr/share/fonts/truetype. */
export const imageFontFolders: readonly string[] =
  'ancient-scripts dejavu lato liberation montserrat noto open-sans roboto tlwg wqy'.split(' ')

/**
 * Fonts by their path in folders that the runner image does not have. FFmpeg draws with another font then
 * and says nothing.
 */
export function absentFonts(step: StepPlan): string[] {
  const paths = stepFilters(step).flatMap(({ name, arguments: given }) =>
    fontFilters.has(name)
      ? given.flatMap(({ key, value }) => (key === 'fontfile' ? [value] : []))
      : [],
  )
  return [...new Set(paths)].filter((path) => {
    const [, below] = /^\/usr\/share\/fonts\/(.+)$/.exec(path) ?? []
    return (
      below !== undefined &&
      !imageFontFolders.some((folder) => below.startsWith(`truetype/${folder}/`))
    )
  })
}

const fontFilters: ReadonlySet<string> = new Set(['drawtext', 'showcqt'])
