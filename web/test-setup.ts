// What every page begins with.
import './ui/base.css'
