import path from 'node:path'
import { acceptsCoding } from '../pages/content-coding.ts'
import { missingPage } from '../pages/missing-page.ts'
import { refusal } from '../http/errors.ts'
import { openapiText } from '../http/openapi.ts'
import { page } from '../middleware/page.ts'
import { sentPathOf } from '../middleware/request-context.ts'
import { readDocsFiles } from './docs-files.ts'
import { guidesPolicy, referencePolicy } from './docs-policies.ts'
import type { Answer } from '../http/errors.ts'
import type { ApiRequest } from '../middleware/request-context.ts'
import type { Page } from '../middleware/page.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Each with an index. */
const guideFolders = ['decisions', 'operations'] as const

/**
 * `/openapi.json`, and below `/docs` the guides and the reference of the API. They need no key. Links and redirects are
 * relative, because a proxy may serve them below another path.
 * @param folder where `npm run build-console` wrote the site
 */
export function docsPages(folder = path.join(import.meta.dirname, 'static')): Page[] {
  const files = readDocsFiles(folder)
  const built = () => {
    if (files === null) throw notBuilt
    return files
  }
  const serve = async (name: string, req: ApiRequest, more: Headers): Promise<Answer> => {
    if (!built().has(name)) throw noPage(req)
    const coding = acceptsCoding('gzip', req.headers['accept-encoding']) ? 'gzip' : 'identity'
    return answerOf(await built().read(name, coding), {
      'Content-Type': types[path.extname(name)] ?? 'application/octet-stream',
      ...more,
      Vary: 'Accept-Encoding',
      ...(coding === 'gzip' ? { 'Content-Encoding': coding } : {}),
    })
  }
  const guide = (name: string, req: ApiRequest, policy = guidesPolicy) =>
    serve(name, req, { 'Content-Security-Policy': policy(built()), ...pageHeaders })
  const asset = (name: string, req: ApiRequest) =>
    serve(name, req, { 'Cache-Control': 'public, max-age=31536000, immutable' })
  return [
    page('/openapi.json', () =>
      answerOf(openapiText, { 'Content-Type': 'application/json; charset=utf-8' }),
    ),
    page('/docs', (req) => (hasSlash(req) ? guide('index.html', req) : redirect('docs/'))),
    page('/docs/api', (req) =>
      hasSlash(req) ? redirect('../api') : guide('api.html', req, referencePolicy),
    ),
    // The site cannot name what is beside it.
    page('/docs/console', (req) => redirect(hasSlash(req) ? '../../console' : '../console')),
    page('/docs/:name', (req) => {
      const name = nameIn(req)
      if (!built().has(`guides/${name}.html`)) throw noPage(req)
      return redirect(`${hasSlash(req) ? '../' : ''}guides/${encodeURIComponent(name)}`)
    }),
    ...guideFolders.map((folder) =>
      page(`/docs/guides/${folder}`, (req) =>
        hasSlash(req) ? guide(`guides/${folder}/index.html`, req) : redirect(`${folder}/`),
      ),
    ),
    ...['guides', ...guideFolders.map((folder) => `guides/${folder}`)].map((below) =>
      page(`/docs/${below}/:name`, (req) => {
        const name = nameIn(req)
        if (!hasSlash(req)) return guide(`${below}/${name}.html`, req)
        if (!built().has(`${below}/${name}.html`)) throw noPage(req)
        return redirect(`../${encodeURIComponent(name)}`)
      }),
    ),
    ...['assets', 'assets/chunks'].map((below) =>
      page(`/docs/${below}/:name`, (req) => asset(`${below}/${nameIn(req)}`, req)),
    ),
  ]
}

type Headers = Readonly<Record<string, string>>

const pageHeaders = { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-cache' }

const noPage = (req: ApiRequest) =>
  missingPage(req, 'The documentation has no such page; begin at /docs')
const notBuilt = refusal(503, 'The documentation is not built: run `npm run build-console`')

function answerOf(content: string | Uint8Array, headers: Headers): Answer {
  return { status: 200, body: undefined, text: content, headers }
}

function redirect(to: string): Answer {
  return { status: 308, body: undefined, headers: { Location: to } }
}

function hasSlash(req: ApiRequest): boolean {
  return sentPathOf(req).endsWith('/')
}

/** Only names of files of the site are looked up, so a name with `..` is not found. */
function nameIn({ params: { name } }: ApiRequest): string {
  return String(name)
}
