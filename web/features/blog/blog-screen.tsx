import { Link } from '@tanstack/react-router'
import { Rss } from 'lucide-react'
import { PageTitle } from '../parts/page-title.tsx'
import page from '../parts/text-page.module.css'
import { classes } from '../../ui/classes.ts'
import text from '../../ui/text.module.css'
import styles from './blog-screen.module.css'
import { blogPosts, dayOf } from './posts.ts'

export function BlogScreen() {
  return (
    <div className={page['page']}>
      <header className={styles['head']}>
        <PageTitle className={page['title']}>Blog</PageTitle>
        <p className={classes(text['lead'], text['muted'])}>Notes for people who tattoo and post.</p>
        <a className={styles['feed']} href="/blog/rss.xml">
          <Rss /> RSS
        </a>
      </header>
      <ol className={styles['list']}>
        {blogPosts.map((post) => (
          <li key={post.slug} className={styles['entry']}>
            <h2 className={text['title']}>
              <Link to="/blog/$slug" params={{ slug: post.slug }}>
                {post.title}
              </Link>
            </h2>
            <p>{post.summary}</p>
            <time className={text['numerals-muted']} dateTime={post.date}>
              {dayOf(post)}
            </time>
          </li>
        ))}
      </ol>
    </div>
  )
}
