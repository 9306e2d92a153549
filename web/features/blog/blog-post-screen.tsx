import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { PageTitle } from '../parts/page-title.tsx'
import page from '../parts/text-page.module.css'
import { classes } from '../../ui/classes.ts'
import text from '../../ui/text.module.css'
import styles from './blog-screen.module.css'
import { dayOf, type BlogPost } from './posts.ts'

/** A blog post. Its HTML is made from Markdown of this repository, so it needs no sanitising. */
export function BlogPostScreen({ post }: { post: BlogPost }) {
  return (
    <article className={page['page']}>
      <header className={styles['head']}>
        <Link to="/blog" className={styles['feed']}>
          <ArrowLeft /> Blog
        </Link>
        <PageTitle className={page['title']}>{post.title}</PageTitle>
        <p className={classes(text['lead'], text['muted'])}>{post.summary}</p>
        <time className={text['numerals-muted']} dateTime={post.date}>
          {dayOf(post)}
        </time>
      </header>
      <div className={styles['text']} dangerouslySetInnerHTML={{ __html: post.html }} />
    </article>
  )
}
