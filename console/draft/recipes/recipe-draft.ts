import { draftFrom, usualOptions } from '../draft.ts'
import type { OriginalRequest } from '../../../common/openapi/openapi-types.ts'
import type { Draft } from '../draft.ts'
import type { Recipe } from './read-recipes.ts'

/** The first ones that are offered, by their short names. */
export const featured: Readonly<Record<string, string>> = {
  'A thumbnail': 'Thumbnail',
  'An MP4 that plays everywhere': 'MP4',
  'A GIF': 'GIF',
  'An HLS ladder': 'HLS',
  'A watermark': 'Watermark',
}

/** The recipe, with the files that the draft has already; the document's own URLs are only examples. */
export function draftFromRecipe({ request }: Recipe, before: Draft): Draft {
  const asked = draftFrom({ ...unset, ...request } as unknown as OriginalRequest)
  return {
    ...asked,
    inputs: asked.inputs.map(({ alias, url }) => {
      const known = before.inputs.find((one) => one.alias === alias)
      const hint = url.split('/').at(-1) ?? null
      return { alias, url: known?.url ?? '', file: known?.file ?? null, hint }
    }),
    zip: asked.zip === null ? null : (before.zip ?? ''),
    options: { ...usualOptions, ...given(request, asked) },
  }
}

/** The recipe that the draft is, apart from the files in it; null once anything else was changed. */
export function recipeOf(recipes: readonly Recipe[], draft: Draft): Recipe | null {
  const text = JSON.stringify(draft)
  return recipes.find((one) => JSON.stringify(draftFromRecipe(one, draft)) === text) ?? null
}

const unset = {
  vcpu_count: '',
  max_command_run_seconds: '',
  output_ttl_seconds: null,
  is_private: false,
  priority: 'normal',
  webhook_url: null,
  metadata: null,
}

function given(request: object, { options }: Draft): Partial<Draft['options']> {
  return {
    ...('vcpu_count' in request ? { vcpus: options.vcpus } : {}),
    ...('max_command_run_seconds' in request ? { seconds: options.seconds } : {}),
    ...('metadata' in request ? { metadata: options.metadata } : {}),
  }
}
