// One module for all overlays of the header, because the bundler makes a chunk of each dynamically imported module.
export { AccountMenuList } from './account-menu-list.tsx'
export { NoticesPanel } from '../notices/notices-panel.tsx'
export { NavDrawer } from './nav-drawer.tsx'
