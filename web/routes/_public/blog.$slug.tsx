import { createFileRoute, notFound } from '@tanstack/react-router'
import { BlogPostScreen } from '../../features/blog/blog-post-screen.tsx'
import { blogPosts } from '../../features/blog/posts.ts'
import { described } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/blog/$slug')({
  // The posts come with the screen, not with the list of routes.
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
