import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { apiOperations, at, successContent } from './openapi-types.ts'
import type { GeneratedFile } from './openapi-types.ts'

const source = 'common/openapi/openapi.json'
const path = 'cli/client/routes.ts'

/** Method, path and body of each call for the client; openapi.json is a hundred times as long. */
export async function openapiRoutes(root: string): Promise<GeneratedFile> {
  const document: unknown = JSON.parse(await readFile(resolve(root, source), 'utf8'))
  const routes = apiOperations(document).map(({ operationId, method, path: at, operation }) => {
    const takes = inputOf(operation)
    const answers = answerKind(document, operation)
    return `${operationId}: { method: '${method.toUpperCase()}', path: '${at}', takes: '${takes}', answers: '${answers}' },`
  })
  const content = `// Generated from ${source} by 'npm run generate'.
    import type { Calls } from '../../common/openapi/openapi-types.ts'

    export interface Route {
      readonly method: string
      readonly path: string
      /** Arguments of the client beside the ids in the path. */
      readonly takes: 'body' | 'query' | 'nothing'
      readonly answers: 'json' | 'text' | 'nothing'
    }

    export const routes = { ${routes.join('\n')} } as const satisfies Record<keyof Calls, Route>`
  const config = await resolveConfig(resolve(root, path))
  return { path, content: await format(content, { ...config, parser: 'typescript' }) }
}

function inputOf(operation: unknown): 'body' | 'query' | 'nothing' {
  if (at(operation, 'requestBody') !== undefined) return 'body'
  const parameters = at(operation, 'parameters')
  const list: unknown[] = Array.isArray(parameters) ? parameters : []
  return list.some((one) => at(one, 'in') === 'query') ? 'query' : 'nothing'
}

function answerKind(document: unknown, operation: unknown): 'json' | 'text' | 'nothing' {
  const types = Object.keys(successContent(document, operation))
  if (types.length === 0) return 'nothing'
  return types.includes('application/json') ? 'json' : 'text'
}
