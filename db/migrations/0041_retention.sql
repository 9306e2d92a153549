CREATE TABLE "unnamed_files" (
	"key" text PRIMARY KEY NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "retention_marks" (
	"work" text PRIMARY KEY NOT NULL,
	"done_until" timestamp with time zone NOT NULL,
	CONSTRAINT "retention_marks_work_words" CHECK ("work" in ('empty_posted_targets'))
);
