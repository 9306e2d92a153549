// The global styles, which index.html loads in the app.
import './ui/base.css'
