// One module for everything that opens from the header: each dynamically imported module becomes a file of its own.
export { AccountMenuList } from './account-menu-list.tsx'
export { NoticesPanel } from '../notices/notices-panel.tsx'
export { NavDrawer } from './nav-drawer.tsx'
