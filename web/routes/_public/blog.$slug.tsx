import { createFileRoute, notFound } from '@tanstack/react-router'
import { BlogPostScreen } from '../../features/blog/blog-post-screen.tsx'
import { blogPosts } from '../../features/blog/posts.ts'
import { described } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/blog/$slug')({
  // Puts the loader, which imports all posts, into the screen's chunk instead of the first bundle.
  codeSplitGroupings: [['loader', 'component']],
  loader: ({ params }) => {
    const post = blogPosts.find(({ slug }) => slug === params.slug)
    if (!post) throw notFound()
    return post
  },
  head: ({ loaderData }) => (loaderData ? described(loaderData.title, loaderData.summary, 'article').head() : {}),
  component: BlogPost,
})

function BlogPost() {
  return <BlogPostScreen post={Route.useLoaderData()} />
}
