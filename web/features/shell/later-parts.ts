// One file of scripts for what opens from the header.
export { AccountMenuList } from './account-menu-list.tsx'
export { NoticesPanel } from '../notices/notices-panel.tsx'
export { NavDrawer } from './nav-drawer.tsx'
