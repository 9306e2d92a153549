import optimizeLocales from '@react-aria/optimize-locales-plugin'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { blogPosts } from './markdown.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const server = process.env['API_URL'] ?? 'http://localhost:3000'

/** Asks for the two plain fonts together with the styles, so that text does not change its face after the first paint. */
function preloadFonts(): Plugin {
  const wanted = /(?:hanken|bricolage)-plain-[\w-]+\.woff2$/
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => wanted.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head-prepend' as const,
          })),
    },
  }
}

export default defineConfig({
  root: here,
  plugins: [
    tanstackRouter({ tmpDir: fileURLToPath(new URL('../.cache/router', import.meta.url)) }),
    // One language: the words react-aria brings for thirty others stay out.
    optimizeLocales.vite({ locales: ['en-US'] }),
    blogPosts(),
    react(),
    preloadFonts(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Files only, nothing inlined: the content security policy allows 'self' and no data: scripts or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // All styles in one file, in the order of their imports: a page is painted after one request, and never half dressed.
    cssCodeSplit: false,
    // Which scripts a route needs, for scripts/prerender.ts and the size budget.
    manifest: 'manifest.json',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The list of routes is needed at once and whole; a file for each would be thirty requests for nothing.
            { name: 'routes', test: /\/web\/(?:routes\/[^?]*|routeTree\.gen)\.tsx?$/ },
            // What every signed-in screen talks to the server with.
            { name: 'live', test: /\/(?:node_modules\/(?:@trpc|@tanstack\/(?:query-core|react-query))|web\/lib\/(?:trpc|live|query-client|session|failure))[/.]/ },
            // What every page has, and small things the landing page shares with forms: on their own, or they would bring the forms along.
            { name: 'client', test: /\/node_modules\/(?:react-dom|scheduler)\//, priority: 2 },
            { name: 'looks', test: /\/(?:web\/ui\/(?:[\w-]+\.module\.css|classes\.ts|button-look\.ts)|node_modules\/lucide-react\/dist\/esm\/(?:createLucideIcon|Icon|icons\/(?:circle|triangle)-(?:alert|exclamation-point))\.)/, priority: 1 },
            // What forms are made of: thirty small files otherwise, each asked for by itself.
            { name: 'forms', test: /\/web\/ui\/(?:alert|button|text-field)\.tsx?$/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': server,
      '/trpc': server,
      '/files': server,
    },
  },
})
