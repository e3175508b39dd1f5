import document from '../../../docs/recipes.md'
import { draftFromRecipe, featured, recipeOf } from '../../draft/recipes/recipe-draft.ts'
import type { Draft } from '../../draft/draft.ts'
import type { Recipe } from '../../draft/recipes/read-recipes.ts'

const recipes = document as readonly Recipe[]

interface Props {
  readonly draft: Draft
  readonly use: (draft: Draft) => void
}

/** All recipes, by theme; it names the one that the draft is. */
export function RecipesMenu({ draft, use }: Props) {
  const themes = [...new Set(recipes.map(({ theme }) => theme))]
  const choose = (title: string) => {
    const recipe = recipes.find((one) => one.title === title)
    if (recipe !== undefined) use(draftFromRecipe(recipe, draft))
  }
  return (
    <select
      aria-label="Recipes"
      value={recipeOf(recipes, draft)?.title ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">Recipes</option>
      {themes.map((theme) => (
        <optgroup key={theme} label={theme}>
          {recipes
            .filter((one) => one.theme === theme)
            .map(({ title }) => (
              <option key={title} value={title}>
                {title}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  )
}

/** A few of them, while there is no command. */
export function FeaturedRecipes({ draft, use }: Props) {
  return (
    <div class="chips row" role="group" aria-label="Start with a recipe">
      <span class="muted">Start with</span>
      {Object.entries(featured).map(([title, words]) => {
        const recipe = recipes.find((one) => one.title === title)
        return (
          recipe !== undefined && (
            <button
              key={title}
              type="button"
              class="chip"
              title={recipe.about}
              onClick={() => use(draftFromRecipe(recipe, draft))}
            >
              {words}
            </button>
          )
        )
      })}
    </div>
  )
}
