import { expect, test } from 'vitest'
import { criticalCss } from './critical-css.ts'

const html = '<div class="a b"><p class="c">a{b}</p></div>'

test.each([
  ['a rule whose class occurs', '.a{color:red}', '.a{color:red}'],
  ['no rule whose class does not occur', '.x{color:red}', ''],
  ['elements and attributes', 'h1,[open]>svg{margin:0}', 'h1,[open]>svg{margin:0}'],
  ['a rule only if all its classes occur', '.a .x{top:0}.a .c{top:1px}', '.a .c{top:1px}'],
  ['the matching selectors of a list', '.a:hover,.x,.b:after{content:"}{"}', '.a:hover,.b:after{content:"}{"}'],
  ['a rule whatever its :not() names', '.a:not(.x,[data-y]){top:0}', '.a:not(.x,[data-y]){top:0}'],
  ['commas inside a selector', ':is(.a,.c) p{top:0}', ':is(.a,.c) p{top:0}'],
  [
    'grouping at-rules that are not empty',
    '@media (width>=1px){.a{top:0}.x{top:0}}@media print{.x{top:0}}',
    '@media (width>=1px){.a{top:0}}',
  ],
  ['the order of layers', '@layer one,two;@layer two{.x{top:0}}', '@layer one,two;'],
  ['font faces', '@font-face{font-family:F;src:url(f.woff2)}', '@font-face{font-family:F;src:url(f.woff2)}'],
  [
    'only keyframes that are used',
    '@keyframes go{to{top:0}}@keyframes rest{to{top:0}}.a{animation:1s go}',
    '@keyframes go{to{top:0}}.a{animation:1s go}',
  ],
])('keeps %s', (_what, css, kept) => {
  expect(criticalCss(css, html)).toBe(kept)
})
