import { expect, test } from 'vitest'
import { criticalCss } from './critical-css.ts'

const html = '<div class="a b"><p class="c">a{b}</p></div>'

test.each([
  ['a class that is there', '.a{color:red}', '.a{color:red}'],
  ['a class that is not', '.x{color:red}', ''],
  ['elements and attributes', 'h1,[open]>svg{margin:0}', 'h1,[open]>svg{margin:0}'],
  ['every class of a selector must be there', '.a .x{top:0}.a .c{top:1px}', '.a .c{top:1px}'],
  ['the selectors that apply, of a list', '.a:hover,.x,.b:after{content:"}{"}', '.a:hover,.b:after{content:"}{"}'],
  ['what it must not be', '.a:not(.x,[data-y]){top:0}', '.a:not(.x,[data-y]){top:0}'],
  ['commas within a selector', ':is(.a,.c) p{top:0}', ':is(.a,.c) p{top:0}'],
  [
    'groups, without those that are empty',
    '@media (width>=1px){.a{top:0}.x{top:0}}@media print{.x{top:0}}',
    '@media (width>=1px){.a{top:0}}',
  ],
  ['the order of layers', '@layer one,two;@layer two{.x{top:0}}', '@layer one,two;'],
  ['faces', '@font-face{font-family:F;src:url(f.woff2)}', '@font-face{font-family:F;src:url(f.woff2)}'],
  [
    'movements that are used',
    '@keyframes go{to{top:0}}@keyframes rest{to{top:0}}.a{animation:1s go}',
    '@keyframes go{to{top:0}}.a{animation:1s go}',
  ],
])('keeps %s', (_what, css, kept) => {
  expect(criticalCss(css, html)).toBe(kept)
})
