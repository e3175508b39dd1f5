import api from '../../common/openapi/openapi.json' with { type: 'json' }

interface Call {
  readonly tag: string
  readonly id: string
  readonly method: string
  /** Name of the event for a webhook. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** Names of parameters and of the fields of bodies. */
  readonly fields: ReadonlySet<string>
}

interface Operation {
  readonly tags: readonly string[]
  readonly operationId: string
  readonly summary: string
  readonly description?: string
}

const calls: readonly Call[] = Object.entries({ ...api.paths, ...api.webhooks }).flatMap(
  ([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Operation>>).map(([method, operation]) => ({
      tag: operation.tags[0] ?? '',
      id: operation.operationId,
      method: path in api.webhooks ? 'event' : method,
      path,
      summary: operation.summary,
      description: operation.description ?? '',
      fields: fieldsOf(operation),
    })),
)

/** Sidebar of the reference: the calls by tag. */
export function callsSidebar() {
  return api.tags.map(({ name }) => ({
    text: name,
    items: calls
      .filter(({ tag }) => tag === name)
      .map(({ id, method, summary }) => ({
        text: `<span class="call-method ${method}">${method === 'delete' ? 'del' : method}</span> ${summary}`,
        link: `/api#/${name}/${id}`,
      })),
  }))
}

/** HTML with a section for each call, as the search of the guides reads it. */
export function callsForSearch(): string {
  const sections = calls.map(({ tag, id, method, path, summary, description, fields }) => {
    const name = `${summary}: ${method.toUpperCase()} ${path}`
    const anchor = `<a class="header-anchor" href="#/${tag}/${id}"></a>`
    return `<h2>${name} ${anchor}</h2><p>${description} ${id} ${[...fields].join(' ')}</p>`
  })
  const title =
    '<h1>API <a class="header-anchor" href="#"></a></h1><p>reference OpenAPI Swagger</p>'
  return title + sections.join('')
}

function fieldsOf(value: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return names
  const {
    in: place,
    name,
    $ref,
    properties,
    ...others
  } = value as Readonly<Record<string, unknown>>
  if (typeof place === 'string' && typeof name === 'string') names.add(name)
  for (const field of Object.keys(properties ?? {})) names.add(field)
  const target = typeof $ref === 'string' && !$ref.includes('/responses/') ? $ref : '#'
  const referred = target
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], api)
  for (const part of [properties, ...Object.values(others), target === '#' ? null : referred]) {
    if (typeof part === 'object') fieldsOf(part, names)
  }
  return names
}
