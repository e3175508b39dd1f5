import type { Submission } from '../../../cli/client/client-with-effects.ts'

/** A recipe of docs/recipes.md, as the playground offers it. */
export interface Recipe {
  readonly title: string
  /** Heading of the part that it stands in. */
  readonly theme: string
  /** The sentence below the title. */
  readonly about: string
  readonly request: Submission
}

/** Recipes of the document: sections with one call of a command. @throws for a call that cannot be read */
export function readRecipes(markdown: string): Recipe[] {
  const [, ...themes] = markdown.split(/^## /m)
  return themes.flatMap((part) => {
    const [theme = ''] = part.split('\n', 1)
    const [, ...sections] = part.split(/^### /m)
    return sections.map((section) => readRecipe(theme, section))
  })
}

function readRecipe(theme: string, section: string): Recipe {
  const [title = ''] = section.split('\n', 1)
  const call = /^```sh\n(.*?)^```$/ms.exec(section)?.[1] ?? ''
  const about = section.slice(title.length, section.indexOf('```')).trim().replaceAll(/\s+/g, ' ')
  return { title, theme, about, request: JSON.parse(bodyIn(title, call)) as Submission }
}

/** The body in single quotes of a shell, or in a here document. `SAMPLES` has the samples of the document, `SAMPLE` is its film. */
function bodyIn(title: string, call: string): string {
  const found = /<<'?(\w+)'?\n(.*?)^\1$/ms.exec(call)?.[2] ?? /-d '(.*)'/s.exec(call)?.[1]
  if (found === undefined) throw new Error(`"${title}" has no body that can be read`)
  return found
    .replaceAll("'\\\n'", '')
    .replaceAll(/('?)\$SAMPLES\1/g, 'https://media.example')
    .replaceAll("'$SAMPLE'", 'https://media.example/film.mp4')
}
