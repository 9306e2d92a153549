import optimizeLocales from '@react-aria/optimize-locales-plugin'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { createHash } from 'node:crypto'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { chunks } from './chunks.ts'
import { blogPosts } from './markdown.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const server = process.env['API_URL'] ?? 'http://localhost:3000'

/** Preloads the two basic fonts together with the styles, so that text does not change its font after the first paint. */
function preloadFonts(): Plugin {
  const basicFonts = /(?:hanken|bricolage)-plain-[\w-]+\.woff2$/
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => basicFonts.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head-prepend' as const,
          })),
    },
  }
}

/** The name of a class of a CSS module, with a hash of its file. Vite's default adds the line too, which costs a byte or two for each use. */
function scopedClassName(name: string, file: string): string {
  const hash = createHash('sha256').update(path.relative(here, file)).digest('base64url').slice(0, 5)
  return `_${name}_${hash}`
}

export default defineConfig({
  root: here,
  css: { modules: { generateScopedName: scopedClassName } },
  plugins: [
    tanstackRouter({ tmpDir: fileURLToPath(new URL('../.cache/router', import.meta.url)) }),
    // Drops react-aria's texts for all other languages from the bundle.
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
    // One style sheet in the order of imports, so that a page is styled completely after one request.
    cssCodeSplit: false,
    // Lists the scripts of each route, for scripts/prerender.ts and the size budget.
    manifest: 'manifest.json',
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunks },
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
