import theme from 'vitepress/theme-without-fonts'
import { inBrowser, withBase } from 'vitepress'
import './site.css'
import type { Theme } from 'vitepress'

/** The reference has a policy of its own, so a browser loads it and the guides as documents. */
const site: Theme = {
  extends: theme,
  enhanceApp({ router }) {
    if (!inBrowser) return
    router.onBeforeRouteChange = (to) => {
      const isReference = (href: string) =>
        new URL(href, location.href).pathname === withBase('/api')
      if (isReference(to) === isReference(location.href)) return
      location.assign(to)
      return false
    }
  },
}

// oxlint-disable-next-line import/no-default-export -- VitePress loads its theme by default export
export default site
