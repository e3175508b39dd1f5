import packageFile from '../../package.json' with { type: 'json' }
import { acceptsCoding } from '../pages/content-coding.ts'
import { jsonLine, refusal } from '../http/errors.ts'
import { readConsoleFiles } from './console-files.ts'
import { openerPolicy, pageHeaders } from './page-headers.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { ConsoleFiles } from './console-files.ts'

export interface ConsoleOptions {
  /** Folder that `npm run build-console` wrote. */
  readonly folder: string
  /** Origins of stored files, which the page shows. */
  readonly storageOrigins: readonly string[]
  /** Whether accounts can register themselves. */
  readonly registration: boolean
  /** Whether keys may make keys. */
  readonly selfServiceKeys: boolean
  /** How people of this installation get a key. */
  readonly keyHelp: string
}

export interface ConsoleAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly content: string | Buffer
}

/** One HTML file serves all pages. */
export const pagePaths = ['/console', '/console/:page', '/console/:page/:id'] as const

/** Files of the console. @throws Refusal 404 for a file that it does not have, 503 unbuilt */
export function consoleAnswers(options: ConsoleOptions) {
  const files = readConsoleFiles(options.folder)
  const headers = {
    ...pageHeaders(options.storageOrigins),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
  }
  const config = {
    version: packageFile.version,
    storage_origins: options.storageOrigins,
    registration: options.registration,
    self_service_keys: options.selfServiceKeys,
    key_help: options.keyHelp,
  }
  return {
    config(): ConsoleAnswer {
      const json = {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-cache',
      }
      return { headers: json, content: jsonLine(config) }
    },
    /** @param accepted the header Accept-Encoding */
    asset(name: string, accepted: string | undefined): ConsoleAnswer {
      const file = files?.find(name) ?? null
      if (file === null) throw noFile
      const coding = codingFor(accepted)
      return {
        headers: {
          'Content-Type': file.type,
          'Cache-Control': 'public, max-age=31536000, immutable',
          Vary: 'Accept-Encoding',
          ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
        },
        content: file.bytes[coding],
      }
    },
    /** @param path as the client sent it */
    page(path: string, sent: IncomingHttpHeaders): ConsoleAnswer {
      if (files === null) throw notBuilt
      return { headers: { ...headers, ...openerPolicy(sent) }, content: html(rootOf(path), files) }
    },
  }
}

const noFile = refusal(404, 'The console has no such file; load the page again')
const notBuilt = refusal(503, 'The console is not built: run `npm run build-console`')

function codingFor(accepted: string | undefined): 'br' | 'gzip' | 'identity' {
  if (acceptsCoding('br', accepted)) return 'br'
  return acceptsCoding('gzip', accepted) ? 'gzip' : 'identity'
}

/**
 * The console's own address relative to the page's, because a proxy may serve it below a path that is
 * unknown here.
 */
function rootOf(path: string): string {
  const below = path.slice(path.indexOf('/console') + '/console'.length)
  const depth = below.split('/').length - 1
  if (depth === 0) return 'console/'
  return depth === 1 ? './' : '../'.repeat(depth - 1)
}

function html(root: string, { script, style, chunks }: Omit<ConsoleFiles, 'find'>): string {
  const preloads = chunks.map(
    (chunk) => `\n<link rel="modulepreload" href="${root}assets/${chunk}">`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cloud FFmpeg</title>
<link rel="icon" href="data:image/svg+xml,${icon}">
<link rel="stylesheet" href="${root}assets/${style}">
<script type="module" src="${root}assets/${script}"></script>${preloads.join('')}
</head>
<body>
<div id="app"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`
}

const icon = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0a5fc4"/><path d="M6 4.5v7l6-3.5z" fill="#fff"/></svg>',
)
