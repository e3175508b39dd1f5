import { Icon } from '../parts/icons.tsx'
import { apiUrl, href, route } from './navigation.ts'
import { choose, profile, profiles, signOut } from './session.ts'
import { showShortcuts } from './shortcuts.tsx'
import { config, usage } from './service.ts'
import { colours } from './profiles.ts'
import type { IconName } from '../parts/shapes.ts'
import type { QueryPage } from './route.ts'

interface Props {
  readonly add: () => void
}

/** On the left; at the bottom of narrow screens. */
export function Nav({ add }: Props) {
  const isList = route.value.page === 'commands'
  return (
    <nav class="nav" aria-label="Console">
      <ProfileMenu add={add} />
      <a
        class="nav-link"
        href={href({ page: 'commands', query: new URLSearchParams() })}
        aria-current={isList ? 'page' : undefined}
        data-shortcut="g c"
      >
        <Icon name="list" />
        Commands
      </a>
      <a
        class="nav-link"
        href={href({ page: 'playground', from: null })}
        aria-current={route.value.page === 'playground' ? 'page' : undefined}
        data-shortcut="g p"
      >
        <Icon name="play" />
        Playground
      </a>
      <PageLink page="files" icon="file" words="Files" shortcut="g f" isFirst />
      {otherPages.map((one) => (
        <PageLink key={one.page} {...one} />
      ))}
      <MoreMenu />
      <span class="space" />
      <Vcpus />
      <a class="nav-link second" href={new URL('docs', apiUrl).href} target="_blank" rel="noopener">
        <Icon name="book" />
        Docs
      </a>
      <button type="button" class="nav-link second" onClick={showShortcuts}>
        <Icon name="keys" />
        Shortcuts
      </button>
      <span class="muted version">Cloud FFmpeg {config.value?.version}</span>
    </nav>
  )
}

interface PageLinkProps {
  readonly page: QueryPage
  readonly icon: IconName
  readonly words: string
  readonly shortcut?: string
  /** The link is in the bar of narrow screens itself. */
  readonly isFirst?: boolean
}

/** Pages in the menu at the end of the bar on narrow screens. */
const otherPages: readonly PageLinkProps[] = [
  { page: 'webhooks', icon: 'bell', words: 'Webhooks', shortcut: 'g w' },
  { page: 'usage', icon: 'chart', words: 'Usage', shortcut: 'g u' },
  { page: 'keys', icon: 'key', words: 'Keys', shortcut: 'g k' },
  { page: 'settings', icon: 'settings', words: 'Settings', shortcut: 'g s' },
]

function PageLink({ page, icon, words, shortcut, isFirst = false }: PageLinkProps) {
  return (
    <a
      class={isFirst ? 'nav-link' : 'nav-link second'}
      href={href({ page, query: new URLSearchParams() })}
      aria-current={route.value.page === page ? 'page' : undefined}
      data-shortcut={shortcut}
    >
      <Icon name={icon} />
      {words}
    </a>
  )
}

function MoreMenu() {
  const close = () => document.getElementById('more')?.hidePopover()
  const isHere = otherPages.some(({ page }) => page === route.value.page)
  return (
    <>
      <button type="button" class={`nav-link more ${isHere ? 'here' : ''}`} popovertarget="more">
        <Icon name="more" />
        More
      </button>
      <div id="more" class="menu" popover="auto">
        {otherPages.map(({ page, icon, words }) => (
          <a
            key={page}
            class="menu-item"
            href={href({ page, query: new URLSearchParams() })}
            aria-current={route.value.page === page ? 'page' : undefined}
            onClick={close}
          >
            <Icon name={icon} />
            {words}
          </a>
        ))}
        <a class="menu-item" href={new URL('docs', apiUrl).href} target="_blank" rel="noopener">
          <Icon name="book" />
          Docs
        </a>
      </div>
    </>
  )
}

function Vcpus() {
  const vcpu = usage.value?.vcpu
  if (vcpu === undefined) return null
  return (
    <span class="muted vcpus">
      {vcpu.in_use}
      {vcpu.limit === null ? '' : ` of ${vcpu.limit}`} vCPUs in use
    </span>
  )
}

function ProfileMenu({ add }: Props) {
  const active = profile.value
  if (active === null) return null
  const close = () => document.getElementById('profiles')?.hidePopover()
  return (
    <div class="profile-menu">
      <button type="button" class="nav-link profile" popovertarget="profiles">
        <span class={`swatch ${colourClass(active.colour)}`} />
        <span class="clip">{active.name}</span>
        <Icon name="down" />
      </button>
      <div id="profiles" class="menu" popover="auto">
        {profiles.value.map(({ id, name, colour }) => (
          <button
            key={id}
            type="button"
            class="menu-item"
            aria-pressed={id === active.id}
            onClick={() => {
              close()
              choose(id)
            }}
          >
            <span class={`swatch ${colourClass(colour)}`} />
            {name}
          </button>
        ))}
        <button
          type="button"
          class="menu-item"
          onClick={() => {
            close()
            add()
          }}
        >
          <Icon name="plus" />
          Add a key
        </button>
        <button type="button" class="menu-item" onClick={signOut}>
          <Icon name="failed" />
          Sign out of all keys
        </button>
      </div>
    </div>
  )
}

/** The policy allows no style attributes in markup, so each colour is a class. */
export function colourClass(colour: string): string {
  return `colour-${Math.max(0, (colours as readonly string[]).indexOf(colour))}`
}
