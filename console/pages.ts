import { CommandsPage } from './commands/commands-page.tsx'
import { lazy } from './parts/lazy.tsx'
import type { ComponentType } from 'preact'
import type { Client } from '../cli/client/client-with-effects.ts'
import type { PageLink } from './shell/nav.tsx'
import './style/console.css'
import './commands/commands.css'
import './command/command.css'
import './playground/playground.css'
import './files/files.css'
import './webhooks/webhooks.css'
import './usage/usage.css'
import './keys/keys.css'
import './settings/settings.css'

export interface PageProps {
  readonly client: Client
  readonly profileId: string
  readonly query: URLSearchParams
}

export interface ConsolePage extends PageLink {
  readonly Page: ComponentType<PageProps>
  /** The page of one of them, at `path/ID`. */
  readonly item?: {
    readonly title: string
    readonly Page: ComponentType<{ readonly client: Client; readonly id: string }>
  }
}

/** Every page, in the order of the navigation; the first load has those that are not lazy. */
export const pages = [
  {
    path: 'commands',
    title: 'Commands',
    icon: 'list',
    key: 'c',
    Page: CommandsPage,
    item: {
      title: 'Command',
      Page: lazy(async () => (await import('./command/command-page.tsx')).CommandPage),
    },
  },
  {
    path: 'playground',
    title: 'Playground',
    icon: 'play',
    key: 'p',
    Page: lazy(async () => (await import('./playground/playground-page.tsx')).PlaygroundPage),
  },
  {
    path: 'files',
    title: 'Files',
    icon: 'file',
    key: 'f',
    Page: lazy(async () => (await import('./files/files-page.tsx')).FilesPage),
  },
  {
    path: 'webhooks',
    title: 'Webhooks',
    icon: 'bell',
    key: 'w',
    Page: lazy(async () => (await import('./webhooks/webhooks-page.tsx')).WebhooksPage),
  },
  {
    path: 'usage',
    title: 'Usage',
    icon: 'chart',
    key: 'u',
    Page: lazy(async () => (await import('./usage/usage-page.tsx')).UsagePage),
  },
  {
    path: 'keys',
    title: 'Keys',
    icon: 'key',
    key: 'k',
    Page: lazy(async () => (await import('./keys/keys-page.tsx')).KeysPage),
  },
  {
    path: 'settings',
    title: 'Settings',
    icon: 'settings',
    key: 's',
    Page: lazy(async () => (await import('./settings/settings-page.tsx')).SettingsPage),
  },
] as const satisfies readonly ConsolePage[]

type Names = Readonly<Record<(typeof pages)[number]['path'], true>>

declare module './shell/route.ts' {
  interface PageNames extends Names {}
}
